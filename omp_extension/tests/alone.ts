/**
 * An extension of any version on a real disk, with OMP replaced: `bun alone.ts SOURCE`, where SOURCE has its config.json beside it.
 * A line on the standard input is what the terminal sends, as JSON text; at its end the session ends.
 */
import { plugin } from "bun";
import { join, resolve } from "node:path";
import type { PauseHost } from "../src/overlay.ts";
import { FakeGate, FakeScreen, pauseCommand } from "./fakes.ts";

type Handler = (event: object, context: object) => unknown;
type Listener = (data: string) => unknown;

const KEYS: Record<string, string> = { "\x1b[24~": "f12", "\x1b\x10": "ctrl+alt+p", "\x1b\x12": "ctrl+alt+r" };
const createCustomMessage = (): void => {};
const gate = new FakeGate();
const pause = { name: "pause", handleTui: (_command: object, runtime: { ctx: PauseHost }) => pauseCommand(gate, runtime.ctx) };

class Terminal extends FakeScreen {
	readonly listeners: Listener[] = [];

	override addInputListener(listener?: Listener): () => void {
		if (listener) this.listeners.push(listener);
		return () => {};
	}
}

const MODULES: Record<string, Record<string, unknown>> = {
	"@oh-my-pi/pi-agent-core": { agentPauseGate: gate, createCustomMessage },
	"@oh-my-pi/pi-tui": { parseKey: (data: string) => KEYS[data], isKeyRepeat: () => false, isKeyRelease: () => false },
	"@oh-my-pi/pi-coding-agent/slash-commands/builtin-control": { BUILTIN_CONTROL_SLASH_COMMANDS: [pause] },
};
plugin({
	name: "OMP",
	setup: build => {
		for (const [name, exports] of Object.entries(MODULES)) build.module(name, () => ({ exports, loader: "object" }));
	},
});

const screen = new Terminal((ms, act) => void setTimeout(act, ms));
const handlers = new Map<string, Handler[]>();
const ui = {
	notify: (message: string) => console.error(message),
	setWidget: (key: string, content: unknown) => {
		const made = typeof content === "function" ? (content as (screen: Terminal) => never)(screen) : (content as never);
		screen.setWidget(key, typeof content === "function" ? () => made : made);
	},
};
const sessionManager = { getSessionFile: () => "/work.jsonl", getSessionName: () => undefined };

async function emit(event: string): Promise<void> {
	for (const handler of handlers.get(event) ?? []) await handler({}, { mode: "tui", hasUI: true, ui, sessionManager });
}

const entry = join(resolve(process.argv[2] ?? ""), "index.ts");
const { default: extension } = (await import(entry)) as { default: (pi: object) => void };
extension({
	pi: { VERSION: "18.2.3", createCustomMessage },
	on: (event: string, handler: Handler) => handlers.set(event, [...(handlers.get(event) ?? []), handler]),
	registerShortcut: () => {},
});
await emit("session_start");
for await (const line of console) {
	if (line === "") continue; // the end of the input
	const data = JSON.parse(line) as string;
	if (data === "\r") screen.top?.handleInput?.(data);
	else for (const listener of screen.listeners) listener(data);
}
await emit("session_shutdown");
process.exit(0);
