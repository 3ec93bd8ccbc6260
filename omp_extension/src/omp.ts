/** Everything that is taken from OMP's own modules. Only literal specifiers: OMP replaces those by its live modules when it loads this. */
import type { ExtensionAPI, ExtensionContext } from "@oh-my-pi/pi-coding-agent";
import * as core from "@oh-my-pi/pi-agent-core";
import * as tui from "@oh-my-pi/pi-tui";
import type { AgentGate } from "./gate.ts";
import type { KeyReader } from "./keys.ts";
import type { PauseHost } from "./overlay.ts";
import type { Screen } from "./screen.ts";
import { atLeast, OLDEST_OMP } from "./version.ts";

export interface Omp {
	readonly gate: AgentGate;
	readonly keys: KeyReader;
	pause(host: PauseHost): Promise<void>;
}

/** OMP's parts, or why they cannot be used. An OMP that hands out dead copies is told by one that is older than the gate's check. */
export async function connect(pi: ExtensionAPI): Promise<Omp | string> {
	const version = String(pi.pi.VERSION);
	const found = `this OMP is ${version}`;
	if (!atLeast(version, OLDEST_OMP)) return `${found}; version ${OLDEST_OMP} or newer is needed`;
	if (!core.agentPauseGate || core.createCustomMessage !== pi.pi.createCustomMessage) {
		return `${found}, and its pause gate is out of reach (known to work: ${OLDEST_OMP} to 18.3.4)`;
	}
	const pause = await findPauseCommand();
	if (!pause) return `${found}, and it has no pause command that can be used (known to work: ${OLDEST_OMP} to 18.3.4)`;
	return { gate: core.agentPauseGate, keys: tui, pause };
}

async function findPauseCommand(): Promise<Omp["pause"] | null> {
	try {
		const control = await import("@oh-my-pi/pi-coding-agent/slash-commands/builtin-control");
		const entry = control.BUILTIN_CONTROL_SLASH_COMMANDS.find(command => command.name === "pause");
		const handle = entry?.handleTui;
		if (!handle) return null;
		type Runtime = Parameters<typeof handle>[1];
		return async host => {
			// The command uses no more of the interactive mode than PauseHost has.
			await handle({ name: "pause", args: "", text: "/pause" }, { ctx: host } as unknown as Runtime);
		};
	} catch {
		return null;
	}
}

/** The terminal interface, by way of a widget that is taken away at once: it moves no focus and touches no draft. */
export function screenOf(context: ExtensionContext): Screen | null {
	let found: Screen | null = null;
	context.ui.setWidget("attention", screen => {
		found = screen;
		return { render: () => [], invalidate: () => {} };
	});
	context.ui.setWidget("attention", undefined);
	return found;
}

export function isInteractive(context: ExtensionContext): boolean {
	const mode: string | undefined = context.mode; // OMP 17.2 has none
	return mode === undefined ? context.hasUI && process.stdout.isTTY === true : mode === "tui";
}
