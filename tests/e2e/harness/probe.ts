/** Lets a test look into a live OMP: `PROBE_SOCKET` names the Unix socket; each line is a request, answered by one line. */
import { agentPauseGate } from "@oh-my-pi/pi-agent-core";
import * as net from "node:net";

const ONCE = Symbol.for("attention_framework.probe");
const once = globalThis as { [ONCE]?: boolean };

/**
 * OMP's welcome plays for 3 s, leaves no room for the conversation on a small screen meanwhile, and asks for no frame when
 * it is over (18.2.3, `modes/components/welcome.ts`): what is said within it would stay unseen until the next key.
 */
const AFTER_THE_WELCOME_MS = 3_200;

/**
 * What has happened: gate changes, focus reports read, and the first frame of each pause screen. `at` is in ms since the epoch, `fine`
 * in ms since the start of the process.
 */
const events: { what: string; at: number; fine: number }[] = [];
const note = (what: string): void => void events.push({ what, at: Date.now(), fine: performance.now() });

export default function probe(pi: any): void {
	const place = process.env.PROBE_SOCKET;
	if (!place || once[ONCE]) return;
	once[ONCE] = true;
	agentPauseGate.onChange((paused: boolean) => note(paused ? "gate-engaged" : "gate-released"));
	pi.on("session_start", (_event: unknown, context: any) => {
		if (context.mode === "tui" || (context.mode === undefined && context.hasUI)) serve(place, context);
	});
	for (const name of ["tool_execution_start", "tool_execution_end", "agent_start", "agent_end", "turn_start", "turn_end", "before_provider_request"])
		pi.on(name, (event: any) => note(event.toolName ? `${name}:${event.toolName}` : name));
}

function serve(place: string, context: any): void {
	let tui: any;
	context.ui.setWidget("probe", (found: any) => {
		tui = found;
		return { render: () => [], invalidate() {} };
	});
	context.ui.setWidget("probe", undefined);
	const editor = tui.getFocused();
	watchPaint(tui);
	process.stdin.prependListener("data", (data: unknown) => {
		for (const [, report] of String(data).matchAll(/\x1b\[([IO])/g)) note(report === "I" ? "focus-in" : "focus-out");
	});
	setTimeout(() => tui.requestRender(), AFTER_THE_WELCOME_MS).unref();
	drawLate(tui, Number(process.env.PROBE_RENDER_DELAY_MS));
	const look = (): object => ({
		pid: process.pid,
		text: context.ui.getEditorText(),
		cursor: editor.getCursor?.() ?? null,
		paused: agentPauseGate.paused,
		overlays: tui.overlayStack.length,
		editor_focused: typeof tui.getFocused()?.setCustomKeyHandler === "function",
		painted: saysPaused(tui),
		idle: context.isIdle(),
		session: context.sessionManager.getSessionFile() ?? null,
		events,
	});
	const server = net.createServer(socket => {
		socket.on("error", () => {});
		socket.on("data", () => {
			let answer: object;
			try {
				answer = look();
			} catch (error) {
				answer = { error: String(error) };
			}
			socket.write(`${JSON.stringify(answer)}\n`);
		});
	});
	server.on("error", error => note(`probe: ${String(error)}`));
	server.listen(place);
	server.unref();
}

function saysPaused(tui: any): boolean {
	const paint = tui.getDebugPaint?.();
	return paint?.altScreen === true && paint.lines.some((line: string) => line.includes("P A U S E D"));
}

/** Notes when the pause screen has been written to the terminal, and when it has gone. */
function watchPaint(tui: any): void {
	let before = false;
	const write = tui.terminal.write;
	tui.terminal.write = function (this: unknown, ...data: unknown[]): unknown {
		const result = write.apply(tui.terminal, data);
		queueMicrotask(() => {
			const now = saysPaused(tui);
			if (now !== before) note(now ? "screen-shown" : "screen-gone");
			before = now;
		});
		return result;
	};
}

/** What is asked to be drawn comes later. */
function drawLate(tui: any, ms: number): void {
	if (!ms) return;
	const request = tui.requestRender;
	tui.requestRender = (...how: unknown[]): void => void setTimeout(() => request.apply(tui, how), ms);
}
