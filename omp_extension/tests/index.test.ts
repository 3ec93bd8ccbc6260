/** The whole extension on a disk of its own, with OMP's modules replaced: when it takes part, and that it is silent otherwise. */
import { afterEach, beforeEach, describe, expect, mock, test } from "bun:test";
import * as fs from "node:fs";
import * as net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeGate, FakeScreen, pauseCommand } from "./fakes.ts";
import type { WidgetComponent } from "../src/line.ts";
import type { PauseHost } from "../src/overlay.ts";
import { EXTENSION } from "../src/version.ts";

type Handler = (event: object, context: object) => unknown;
type Factory = (pi: object) => void;

const createCustomMessage = (): void => {};
const gate = new FakeGate();

mock.module("@oh-my-pi/pi-agent-core", () => ({ agentPauseGate: gate, createCustomMessage }));
const KEYS: Record<string, string> = { "\x1b[24~": "f12", "\x1b\x10": "ctrl+alt+p", "\x1b\x12": "ctrl+alt+r" };
mock.module("@oh-my-pi/pi-tui", () => ({
	parseKey: (data: string) => KEYS[data],
	isKeyRepeat: () => false,
	isKeyRelease: () => false,
}));
const pause = { name: "pause", handleTui: (_command: object, runtime: { ctx: PauseHost }) => pauseCommand(gate, runtime.ctx) };
mock.module("@oh-my-pi/pi-coding-agent/slash-commands/builtin-control", () => ({
	BUILTIN_CONTROL_SLASH_COMMANDS: [{ name: "quit", handleTui: () => {} }, pause],
}));

/** Longer than a machine that is slow takes for an answer. */
const ASK_MS = 10_000;

class ListeningScreen extends FakeScreen {
	listener: ((data: string) => { consume?: boolean } | undefined) | undefined;

	constructor() {
		super((ms, act) => void setTimeout(act, ms));
	}

	override addInputListener(listener?: (data: string) => { consume?: boolean } | undefined): () => void {
		this.listener = listener;
		return () => {
			this.listener = undefined;
		};
	}
}

/** OMP, as one extension sees it. */
class Host {
	readonly screen = new ListeningScreen();
	readonly said: string[] = [];
	/** Lines above the prompt editor. */
	readonly lines = new Map<string, string[]>();
	readonly shortcuts: string[] = [];
	readonly #handlers = new Map<string, Handler[]>();
	version = "18.2.3";
	createCustomMessage: unknown = createCustomMessage;
	conversation = "/first.jsonl";

	get api(): object {
		return {
			pi: { VERSION: this.version, createCustomMessage: this.createCustomMessage },
			on: (event: string, handler: Handler) => this.#handlers.set(event, [...(this.#handlers.get(event) ?? []), handler]),
			registerShortcut: (key: string) => this.shortcuts.push(key),
		};
	}

	async emit(event: string, more: object = {}, mode = "tui"): Promise<void> {
		for (const handler of this.#handlers.get(event) ?? []) await handler(more, this.#context(mode));
	}

	get silent(): boolean {
		return this.#handlers.size === 0 && this.shortcuts.length === 0;
	}

	#context(mode: string): object {
		return {
			mode,
			hasUI: mode !== "print",
			ui: {
				notify: (message: string) => this.said.push(message),
				setWidget: (key: string, make: unknown) => {
					if (typeof make === "function") this.screen.setWidget(key, () => (make as (screen: FakeScreen) => WidgetComponent)(this.screen));
					else if (make === undefined) this.screen.setWidget(key, undefined);
					if (Array.isArray(make)) this.lines.set(key, make as string[]);
					else this.lines.delete(key);
				},
			},
			sessionManager: { getSessionFile: () => this.conversation, getSessionName: () => undefined },
		};
	}
}

let folder = "";
let state = "";
const environment = { ...process.env };

beforeEach(() => {
	folder = fs.mkdtempSync(join(tmpdir(), "attention-"));
	state = join(folder, "state");
	fs.cpSync(join(import.meta.dir, "..", "src"), join(folder, "src"), { recursive: true });
	pause.name = "pause";
	Object.assign(process.env, { TMUX_PANE: "%1", TMUX: "/nowhere/tmux/default,1,0" });
	configure();
});

afterEach(async () => {
	for (const host of hosts.splice(0)) await host.emit("session_shutdown");
	delete (globalThis as Record<symbol, unknown>)[Symbol.for("attention_framework.omp_extension")];
	fs.rmSync(folder, { recursive: true, force: true });
	for (const name of ["TMUX", "TMUX_PANE"]) {
		if (environment[name] === undefined) delete process.env[name];
		else process.env[name] = environment[name];
	}
});

function configure(text?: string): void {
	const hosts = [{ host: "tmux", pane: "TMUX_PANE", address: "TMUX", address_pattern: "^(.*),[0-9]+$" }];
	fs.writeFileSync(join(folder, "config.json"), text ?? JSON.stringify({ v: 1, state, runner: [process.execPath, "-e", "0"], hosts }));
}

const hosts: Host[] = [];

async function load(copy = "src"): Promise<Factory> {
	return ((await import(join(folder, copy, "index.ts"))) as { default: Factory }).default;
}

async function started(prepare: (host: Host) => void = () => {}, mode = "tui"): Promise<Host> {
	const host = new Host();
	hosts.push(host);
	prepare(host);
	(await load())(host.api);
	await host.emit("session_start", {}, mode);
	return host;
}

function find(part: string): string[] {
	if (!fs.existsSync(state)) return [];
	const all = fs.readdirSync(state, { recursive: true, encoding: "utf8" });
	return all.filter(name => name.includes(part) && !name.includes(".tmp")).map(name => join(state, name));
}

function statusFile(): string {
	return find(`%251.${process.pid}.json`)[0] ?? "";
}

function mailbox(): string {
	return find(`%251.${process.pid}`).find(name => name.includes("mailbox")) ?? "";
}

function status(): Record<string, unknown> {
	return JSON.parse(fs.readFileSync(statusFile(), "utf8")) as Record<string, unknown>;
}

function ask(runs: object, more: object = {}): void {
	fs.writeFileSync(join(mailbox(), ".pending"), JSON.stringify({ v: 1, runs, ...more }));
	fs.renameSync(join(mailbox(), ".pending"), join(mailbox(), "pending.json"));
}

/** A key of the person's on the pause screen: the listener hears it first. */
function press(host: Host): void {
	host.screen.listener?.("\r");
	host.screen.top?.handleInput?.("\r");
}

/** Real timers and a real watcher are at work here: wait for what they lead to, with a bound. */
async function until(holds: () => boolean): Promise<void> {
	for (let turn = 0; turn < 400 && !holds(); turn++) await new Promise(resolve => setTimeout(resolve, 5));
	expect(holds()).toBe(true);
}

describe("in a pane", () => {
	test("it says hello, makes its mailbox, and asks for focus reports", async () => {
		const host = await started();
		expect(status()).toMatchObject({ v: 1, agent: "omp", pane: "%1", pid: process.pid, state: "running", attended: 0, session_file: "/first.jsonl" });
		expect(status()["versions"]).toEqual({ agent: "18.2.3", extension: EXTENSION, protocol: 1 });
		expect(fs.readdirSync(mailbox())).toEqual([]);
		expect(host.screen.written).toEqual(["\x1b[?1004h"]);
		expect(host.shortcuts).toEqual(["f12", "ctrl+alt+p", "ctrl+alt+r"]);
		expect(host.said).toEqual([]);
	});

	test("it pauses and resumes by files alone", async () => {
		const host = await started();
		ask({ focus: { attended: 0 } });
		await until(() => status()["state"] === "paused");
		expect(gate.paused).toBe(true);
		expect(fs.readdirSync(mailbox())).toEqual(["ack.json"]);
		press(host);
		await until(() => status()["state"] === "running");
		expect(status()["attended"]).toBe(2);
		expect(host.said).toEqual(["Resumed after 1s"]);
	});

	test("it consumes its keys and the reports, and lets everything else pass", async () => {
		const { screen } = await started();
		for (const data of ["\x1b[I", "\x1b[O", "\x1b[24~"]) expect(screen.listener?.(data)).toEqual({ consume: true });
		for (const data of ["a", "\x1b[<0;1;1M"]) expect(screen.listener?.(data)).toBeUndefined();
		expect(status()["attended"]).toBe(1);
	});

	test("the pause key pauses for the person", async () => {
		const host = await started();
		expect(host.screen.listener?.("\x1b\x10")).toEqual({ consume: true });
		await until(() => status()["shown"] === "overlay");
		expect(status()).toMatchObject({ state: "paused", by: "person" });
		press(host);
		await until(() => !gate.paused);
	});

	test("the resume key ends a pause that a line shows, and is an ordinary key else", async () => {
		const host = await started();
		expect(host.screen.listener?.("\x1b\x12")?.consume).toBeUndefined();
		const { attended } = status();
		ask({ focus: { attended } }, { show: "line" });
		await until(() => status()["state"] === "paused");
		expect(status()["shown"]).toBe("line");
		expect(host.screen.listener?.("a")).toBeUndefined();
		expect(gate.paused).toBe(true);
		host.screen.widgets.clear();
		await host.emit("session_switch");
		expect(host.screen.widget("attention-pause")).toContain("Ctrl+Alt+R resumes");
		expect(host.screen.listener?.("\x1b\x12")?.consume).toBe(true);
		expect(gate.paused).toBe(false);
		expect(status()["state"]).toBe("running");
	});

	test("calls in flight are told while it is paused, those of subagents too", async () => {
		const host = await started();
		const subagent = new Host();
		(await load())(subagent.api);
		await subagent.emit("session_start", {}, "print");
		await host.emit("tool_execution_start", { toolCallId: "1", toolName: "bash" });
		await subagent.emit("tool_execution_start", { toolCallId: "1", toolName: "grep" });
		ask({ focus: { attended: 0 } });
		await until(() => status()["state"] === "paused");
		expect(status()["calls"]).toMatchObject([{ name: "bash" }, { name: "grep" }]);
		await host.emit("tool_execution_end", { toolCallId: "1" });
		await until(() => (status()["calls"] as object[]).length === 1);
		press(host);
		await until(() => !gate.paused);
	});

	test("another conversation in the same process is told, and the mailbox stays", async () => {
		const host = await started();
		const before = mailbox();
		host.conversation = "/second.jsonl";
		await host.emit("session_switch");
		expect(status()["session_file"]).toBe("/second.jsonl");
		expect(mailbox()).toBe(before);
	});

	test("what an earlier process of this name left is gone, what another one left is not touched", async () => {
		const first = await started();
		const [mine, other] = [mailbox(), `${mailbox()}9`];
		await first.emit("session_shutdown");
		for (const box of [mine, other]) {
			fs.mkdirSync(box);
			fs.writeFileSync(join(box, "pending.json"), '{"v":1,"runs":{"focus":{"attended":0}}}');
		}
		await started();
		expect(fs.readdirSync(mine)).toEqual([]);
		expect(fs.readdirSync(other)).toEqual(["pending.json"]);
		expect(gate.paused).toBe(false);
	});

	test("at its end it takes its files along and switches the reports off", async () => {
		const host = await started();
		await host.emit("session_shutdown");
		expect(find(`${process.pid}`)).toEqual([]);
		expect(host.screen.written.at(-1)).toBe("\x1b[?1004l");
		expect(host.screen.listener).toBeUndefined();
		await host.emit("session_switch");
		expect(find(`${process.pid}`)).toEqual([]);
	});

	test("the end of a subagent is not its end", async () => {
		await started();
		const subagent = new Host();
		(await load())(subagent.api);
		await subagent.emit("session_start", {}, "print");
		await subagent.emit("session_shutdown", {}, "print");
		expect(status()["state"]).toBe("running");
		expect(subagent.said).toEqual([]);
	});
});

describe("with a resident controller", () => {
	const heard: string[] = [];
	const held = new Set<net.Socket>();
	let verdict = "pause";
	let server: net.Server;

	beforeEach(async () => {
		heard.length = 0;
		verdict = "pause";
		server = net.createServer(socket => {
			socket.setEncoding("utf8");
			socket.on("error", () => {});
			socket.on("data", data => {
				const line = String(data).trim().replace(/ token=\S+/, "");
				heard.push(line);
				const question = / question=([0-9]+)/.exec(line)?.[1];
				socket.end(question ? `answer ${verdict} question=${question}\nend 0\n` : "end 0\n");
			});
			held.add(socket);
		});
		await new Promise<void>(done => server.listen(0, "127.0.0.1", done));
		fs.mkdirSync(state, { recursive: true, mode: 0o700 });
		fs.writeFileSync(join(state, "serve.addr"), `tcp 127.0.0.1 ${(server.address() as net.AddressInfo).port} secret\n`);
		lease("brake");
	});

	afterEach(() => {
		for (const socket of held) socket.destroy();
		server.close();
	});

	function lease(mode: string): void {
		fs.writeFileSync(join(state, "reflex.json"), JSON.stringify({ v: 1, mode, fail: "open", ask_ms: ASK_MS, until_ms: Date.now() + 15_000 }));
	}

	test("it wakes that one, and starts none", async () => {
		configure(JSON.stringify({ v: 1, state, runner: [join(folder, "no such program")], hosts: [{ host: "tmux", pane: "TMUX_PANE", address: "TMUX", address_pattern: null }] }));
		await started();
		await until(() => heard.length > 0);
		expect(heard).toEqual(["wake host=tmux address=/nowhere/tmux/default%2C1%2C0 trigger=omp:hello answer=no"]);
		expect(fs.existsSync(join(state, "omp-extension.log"))).toBe(false);
	});

	test("it brakes at a lost focus, asks who it is, and pauses when the request comes", async () => {
		const host = await started();
		host.screen.listener?.("\x1b[O");
		expect(gate.paused).toBe(true);
		expect([...host.lines.values()].join()).toContain("held");
		expect(status()).toMatchObject({ state: "braked", shown: "line", reflex: { mode: "brake", reports: true, away: true, silent: 0 } });
		await until(() => heard.some(line => line.startsWith("ask")));
		expect(heard.find(line => line.startsWith("ask"))).toBe(`ask host=tmux address=/nowhere/tmux/default%2C1 pane=%251 pid=${process.pid} question=1 event=focus-out`);
		ask({ focus: { attended: 0 } });
		await until(() => status()["state"] === "paused");
		expect(host.lines.size).toBe(0);
		press(host);
		await until(() => !gate.paused);
	});

	test("it goes on when it may, and when the person comes back", async () => {
		const host = await started();
		host.screen.listener?.("\x1b[O");
		host.screen.listener?.("\x1b[I");
		expect(gate.paused).toBe(false);
		verdict = "run";
		host.screen.listener?.("\x1b[O");
		await until(() => !gate.paused);
		expect(status()).toMatchObject({ state: "running", reflex: { away: true } });
		expect(host.lines.size).toBe(0);
	});

	test("in strict mode every event before a step closes the gate until the answer", async () => {
		lease("strict");
		const host = await started();
		const subagent = new Host();
		(await load())(subagent.api);
		await subagent.emit("session_start", {}, "print");
		const steps: [Host, string, object][] = [
			[host, "before_agent_start", {}],
			[host, "tool_call", { toolName: "bash" }],
			[subagent, "tool_call", { toolName: "read" }],
			[host, "tool_result", {}],
			[host, "turn_end", {}],
		];
		verdict = "run";
		for (const [who, event, more] of steps) {
			await who.emit(event, more);
			expect(gate.paused).toBe(true);
			await until(() => !gate.paused);
		}
		const events = heard.map(line => / event=(\S+)/.exec(line)?.[1]).filter(event => event);
		expect(events).toEqual(["turn", "tool:bash", "tool:read", "tool-end", "turn"]);
	});

	test("at its end it holds nobody, and gives OMP's gate back as it was", async () => {
		const host = await started();
		host.screen.listener?.("\x1b[O");
		await until(() => heard.some(line => line.startsWith("ask")));
		await host.emit("session_shutdown");
		expect(gate.paused).toBe(false);
		gate.pause();
		gate.resume();
		expect(find(`${process.pid}`)).toEqual([]);
	});

	test("the line stays through a change of the conversation, which takes all widgets away", async () => {
		const host = await started();
		host.screen.listener?.("\x1b[O");
		host.lines.clear();
		await host.emit("session_switch");
		expect(host.lines.size).toBe(1);
		host.screen.listener?.("\x1b[I");
		expect(host.lines.size).toBe(0);
	});
});

describe("it is silent and does nothing", () => {
	for (const mode of ["print", "rpc", "json"]) {
		test(`in ${mode} mode`, async () => {
			const host = await started(() => {}, mode);
			expect(host.said).toEqual([]);
			expect(find("sessions")).toEqual([]);
		});
	}

	test("outside of panes", async () => {
		delete process.env["TMUX_PANE"];
		expect((await started()).silent).toBe(true);
	});

	test("where it was not set up", async () => {
		fs.rmSync(join(folder, "config.json"));
		expect((await started()).silent).toBe(true);
	});

	test("as a copy that was not set up, and leaves the place to the one that was", async () => {
		fs.mkdirSync(join(folder, "bare", "copy"), { recursive: true });
		fs.cpSync(join(folder, "src"), join(folder, "bare", "copy"), { recursive: true });
		const bare = new Host();
		(await load(join("bare", "copy")))(bare.api);
		expect(bare.silent).toBe(true);
		await started();
		expect(status()["state"]).toBe("running");
	});

	test("as the second copy in one process", async () => {
		const first = await started();
		fs.cpSync(join(folder, "src"), join(folder, "copy"), { recursive: true });
		const second = new Host();
		(await load("copy"))(second.api);
		expect(second.silent).toBe(true);
		expect(first.said).toEqual([]);
	});
});

describe("it says once why it cannot take part", () => {
	test("where config.json is broken", async () => {
		configure("{");
		const host = await started();
		await host.emit("session_switch");
		expect(host.said).toHaveLength(1);
		expect(host.said[0]).toContain("config.json");
		expect(host.shortcuts).toEqual([]);
	});

	test("where others can write to the state folder", async () => {
		if (process.platform === "win32") return;
		fs.mkdirSync(state);
		fs.chmodSync(state, 0o777);
		const host = await started();
		expect(host.said.join()).toContain("chmod 700");
		expect(find("sessions")).toEqual([]);
	});

	test("where its files cannot be written", async () => {
		fs.mkdirSync(join(state), { recursive: true, mode: 0o700 });
		fs.writeFileSync(join(state, "sessions"), "in the way");
		const host = await started();
		expect(host.said).toHaveLength(1);
		expect(host.said[0]).toContain("could not start");
		expect(host.screen.listener).toBeUndefined();
		expect(fs.readFileSync(join(state, "omp-extension.log"), "utf8")).toContain("sessions");
	});

	const unsupported: [string, (host: Host) => void, string][] = [
		["an OMP that is too old", host => (host.version = "17.3.5"), "this OMP is 17.3.5; version 18.1.16 or newer is needed"],
		["an OMP that hands out a dead gate", host => (host.createCustomMessage = () => {}), "its pause gate is out of reach"],
		["an OMP without the pause command", () => (pause.name = "halt"), "no pause command"],
	];
	for (const [what, prepare, why] of unsupported) {
		test(`in ${what}, and its status file says it too`, async () => {
			const host = await started(prepare);
			expect(host.said).toHaveLength(1);
			expect(host.said[0]).toContain(why);
			expect(status()).toMatchObject({ state: "unsupported", problem: { code: "not-live" } });
			expect(mailbox()).toBe("");
			expect(host.screen.written).toEqual([]);
			await host.emit("session_shutdown");
			expect(find(`${process.pid}`)).toEqual([]);
		});
	}
});
