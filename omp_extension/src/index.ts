/** Entry of the OMP extension: when it takes part, when it stays silent, and which of OMP's events it hears. */
import * as path from "node:path";
import type { ExtensionAPI, ExtensionContext } from "@oh-my-pi/pi-coding-agent";
import { Agent } from "./agent.ts";
import { Calls } from "./calls.ts";
import { type Config, loadConfig } from "./config.ts";
import { Broken } from "./documents.ts";
import { realFiles } from "./files.ts";
import { guarded, logTo, type Report } from "./log.ts";
import { connect, isInteractive, screenOf } from "./omp.ts";
import { type AgentEffects, type Presence, unsupported } from "./presence.ts";
import { FocusReports } from "./reports.ts";
import { type Seat, seats, thisProcess, whyRefused } from "./session.ts";

/** What may exist once in a process only, however many copies of this module OMP has loaded. */
const TAKEN = Symbol.for("attention_framework.omp_extension");
const mine = {};
const once = globalThis as { [TAKEN]?: object };

interface Setup {
	readonly config: Config;
	readonly seats: readonly Seat[];
	readonly report: Report;
}

let agent: Agent | null = null;
let presence: Presence | null = null;
/** OMP calls the factory again for each subagent, in the same process. */
let instances = 0;
const calls = new Calls(() => agent?.callsChanged());

export default function attention(pi: ExtensionAPI): void {
	const setup = prepare();
	if (setup === null) return;
	if (typeof setup === "string") return complain(pi, setup);
	once[TAKEN] ??= mine;
	if (once[TAKEN] !== mine) return;
	const instance = ++instances;
	follow(pi, instance, setup.report);
	shortcuts(pi, setup.config);
	let started = false;
	pi.on("session_start", async (_event, context) => {
		if (agent || presence || !isInteractive(context)) return;
		started = true;
		try {
			await start(pi, context, setup);
		} catch (error) {
			setup.report(error);
			stop(setup.report);
			context.ui.notify(`attention: could not start, so this agent is not paused: ${String(error)}`, "error");
		}
	});
	pi.on("session_shutdown", () => {
		if (started) stop(setup.report);
	});
}

/** null: nothing to do with this process. A text: why it cannot take part though it is set up. */
function prepare(): Setup | string | null {
	try {
		const config = loadConfig(realFiles, import.meta.dir);
		if (!config) return null;
		const found = seats(config.hosts, process.env, config.state, process.pid);
		if (found.length === 0) return null;
		return whyRefused(config.state) ?? { config, seats: found, report: logTo(path.join(config.state, "omp-extension.log")) };
	} catch (error) {
		return error instanceof Broken ? error.message : String(error);
	}
}

function complain(pi: ExtensionAPI, text: string): void {
	pi.on("session_start", (_event, context) => {
		if (isInteractive(context)) context.ui.notify(`attention: ${text}. This agent is not paused; run \`attention doctor\`.`, "warning");
	});
}

async function start(pi: ExtensionAPI, context: ExtensionContext, setup: Setup): Promise<void> {
	const effects: AgentEffects = {
		...setup,
		files: realFiles,
		identity: thisProcess(),
		ompVersion: String(pi.pi.VERSION),
		calls,
		conversationFile: () => context.sessionManager.getSessionFile() ?? null,
		conversationName: () => context.sessionManager.getSessionName(),
		notify: message => context.ui.notify(message, "info"),
		widgets: { setWidget: (key, content) => context.ui.setWidget(key, content) },
	};
	const omp = await connect(pi);
	if (typeof omp === "string") return giveUp(context, effects, omp);
	const screen = screenOf(context);
	if (!screen) return giveUp(context, effects, "OMP's terminal interface is out of reach");
	agent = new Agent(effects, omp, screen);
	agent.start();
	process.once("exit", () => stop(setup.report));
}

function giveUp(context: ExtensionContext, effects: AgentEffects, why: string): void {
	presence = unsupported(effects, why);
	presence.hello();
	process.once("exit", () => stop(effects.report));
	context.ui.notify(`attention: this agent cannot be paused: ${why}`, "warning");
}

/** At most once, and to the end: what is left over looks like a live agent until its process is seen to be gone. */
function stop(report: Report): void {
	const [leaving, silent] = [agent, presence];
	agent = presence = null;
	guarded(() => leaving?.stop(), report)();
	guarded(() => silent?.leave(), report)();
	if (leaving) guarded(() => FocusReports.endNow(), report)();
}

function follow(pi: ExtensionAPI, instance: number, report: Report): void {
	pi.on("tool_execution_start", event => calls.started(instance, event.toolCallId, event.toolName, Date.now()));
	pi.on("tool_execution_end", event => calls.ended(instance, event.toolCallId));
	const boundary = guarded((event: string) => agent?.boundary(event), report);
	// Each comes early enough that the gate stops what follows: the first request to the model, a tool, the tool or request after it.
	pi.on("before_agent_start", () => boundary("turn"));
	pi.on("tool_call", event => boundary(`tool:${event.toolName}`));
	pi.on("tool_result", () => boundary("tool-end"));
	pi.on("turn_end", () => boundary("turn"));
	pi.on("agent_end", () => {
		calls.endedAll(instance);
		agent?.look();
	});
	const changed = guarded(() => agent?.conversationChanged(), report);
	pi.on("session_switch", changed);
	pi.on("session_branch", changed);
}

/** The raw listener hears these keys wherever they arrive; bound they are listed among OMP's hotkeys too. */
function shortcuts(pi: ExtensionAPI, config: Config): void {
	pi.registerShortcut(config.keys.look as Shortcut, {
		description: "attention: look into the mailbox",
		handler: () => agent?.keys.look(),
	});
	pi.registerShortcut(config.keys.pause as Shortcut, {
		description: "attention: pause this agent",
		handler: () => agent?.keys.pause(),
	});
	pi.registerShortcut(config.keys.resume as Shortcut, {
		description: "attention: resume this agent where a line says that it is paused",
		handler: () => agent?.keys.resume(),
	});
}

type Shortcut = Parameters<ExtensionAPI["registerShortcut"]>[0];
