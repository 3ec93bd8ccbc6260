/** What the simulation did to its model of this extension (`tests/system`), done to the extension itself. */
import type { Answered, Verdict } from "../src/ask.ts";
import { Attended } from "../src/attended.ts";
import { Box } from "../src/box.ts";
import { FocusRepair } from "../src/focus.ts";
import { Gate } from "../src/gate.ts";
import { GentlePause } from "../src/gentle.ts";
import { readHolds } from "../src/holds.ts";
import { readAwayCounts, readLease } from "../src/lease.ts";
import { BrakeLine } from "../src/line.ts";
import { Mailbox } from "../src/mailbox.ts";
import { Overlay } from "../src/overlay.ts";
import { published } from "../src/published.ts";
import { Reflex } from "../src/reflex.ts";
import { saysPaused } from "../src/screen.ts";
import { Status } from "../src/status.ts";
import { FakeGate, FakeScreen, MemoryFiles, pauseCommand, settled } from "./fakes.ts";

export interface Step {
	readonly do: string;
	readonly at_ms: number;
	readonly wall_ms: number;
	/** What others have changed since the step before; null: the file is gone. */
	readonly given: Readonly<Record<string, string | null>>;
	readonly said: Readonly<Record<string, unknown>>;
	readonly left: readonly string[];
	readonly told: readonly string[];
}

export interface Trace {
	readonly seed: number;
	readonly mode: "off" | "brake" | "strict";
	readonly pane: string;
	readonly pid: number;
	readonly steps: readonly Step[];
}

/** A wall clock that may be set back, beside one that only goes on; timers run when the trace says so. */
class TwoClocks {
	wallMs = 0;
	atMs = 0;
	readonly #timers: { atMs: number; act: () => void }[] = [];

	readonly later = (ms: number, act: () => void): void => {
		this.#timers.push({ atMs: this.atMs + ms, act });
	};

	async runDue(): Promise<void> {
		for (;;) {
			const due = this.#timers.filter(timer => timer.atMs <= this.atMs).sort((one, other) => one.atMs - other.atMs)[0];
			if (!due) return;
			this.#timers.splice(this.#timers.indexOf(due), 1);
			due.act();
			await settled();
		}
	}
}

const STATUS = "/s/status.json";

export class Replay {
	readonly clock = new TwoClocks();
	readonly files = new MemoryFiles();
	readonly gate = new FakeGate();
	readonly screen = new FakeScreen(this.clock.later);
	readonly errors: unknown[] = [];
	readonly #told: string[] = [];
	readonly #attended: Attended;
	readonly #status: Status;
	readonly #box: Box;
	readonly #mailbox: Mailbox;
	readonly #reflex: Reflex;
	readonly #questions = new Map<number, Answered>();

	constructor(trace: Trace) {
		const { clock, files, screen } = this;
		const report = (error: unknown): void => void this.errors.push(error);
		this.#attended = new Attended(() => this.#status.publishSoon());
		const focus = new FocusRepair(screen);
		focus.remember();
		const gate = new Gate(this.gate, {
			outside: paused => this.#mailbox.gateChangedOutside(paused),
			takenFromReflex: () => this.#reflex.taken(),
			takenFromLine: () => this.#mailbox.lineTaken(),
		});
		this.#reflex = new Reflex({
			attended: this.#attended,
			gate,
			line: new BrakeLine({ setWidget: () => {} }), // its repaints are none of the trace
			lease: () => readLease(files, "/s/reflex.json", clock.wallMs),
			awayCounts: () => readAwayCounts(files, "/s/reflex.json", clock.wallMs),
			ask: (question, _event, answered) => {
				this.#told.push(`ask ${question}`);
				this.#questions.set(question, answered);
			},
			terminalIsOurs: () => true,
			requested: () => this.#mailbox.requested,
			nowMs: () => clock.wallMs,
			later: clock.later,
			publish: () => this.#status.publish(),
			wake: trigger => void this.#told.push(trigger),
			report: () => {},
		});
		const overlay = new Overlay({
			screen,
			gate,
			focus,
			pause: host => pauseCommand(this.gate, host),
			terminalIsOurs: () => true,
			conversationName: () => undefined,
			showStatus: () => {},
			later: clock.later,
			onReady: () => this.#mailbox.look(),
			onLost: () => this.#mailbox.screenLost(),
			onError: report,
		});
		const line = new GentlePause({ screen, gate, widgets: screen, resumeKey: "f11", terminalIsOurs: () => true, nowMs: () => clock.wallMs });
		this.#status = new Status({
			files,
			copies: [{ file: STATUS, pane: trace.pane }],
			content: () => published(this.#mailbox, this.#reflex, this.#attended),
			nowMs: () => clock.wallMs,
			later: clock.later,
			report,
		});
		let [uuids, engagements] = [0, 0];
		this.#box = new Box("/s/box", files, report, () => `${++uuids}`);
		this.#mailbox = new Mailbox({
			boxes: [this.#box],
			places: [{ session: "fake", pane: trace.pane }],
			attended: this.#attended,
			screens: { overlay, line },
			versions: {},
			holds: () => readHolds(files, "/s/holds"),
			saysPaused: () => saysPaused(screen),
			nowMs: () => clock.wallMs,
			later: clock.later,
			newEngagement: () => `${trace.pid}-${++engagements}`,
			publish: () => this.#status.publish(),
			wake: trigger => void this.#told.push(trigger),
			requestEnded: () => this.#reflex.requestEnded(),
			report,
		});
	}

	/** What can be seen after this step. */
	async take(step: Step): Promise<Pick<Step, "said" | "left" | "told">> {
		this.#told.length = 0;
		this.clock.atMs = step.at_ms;
		this.clock.wallMs = step.wall_ms;
		for (const [name, text] of Object.entries(step.given)) {
			if (text === null) this.files.remove(`/s/${name}`);
			else this.files.write(`/s/${name}`, text);
		}
		await this.#act(step.do);
		await settled();
		return { said: this.#said(), left: this.#left(), told: [...this.#told] };
	}

	async #act(what: string): Promise<void> {
		switch (what) {
			case "start":
				return this.#start();
			case "timers":
				return this.clock.runDue();
			case "poll":
				this.#reflex.poll();
				this.#status.retry();
				return this.#mailbox.look();
			case "read I":
				return this.#reflex.focusIn();
			case "read O":
				return this.#reflex.focusOut();
			case "read K":
			case "read R": // the pause screen hears of it, too, and ends at the step "resume"
				return this.#reflex.key();
			case "read look":
				return this.#mailbox.look();
			case "boundary":
				return this.#reflex.boundary("tool");
			case "resume":
				return void this.screen.top?.handleInput?.("\r");
			case "pause":
				return void pauseCommand(this.gate, { ui: this.screen, editor: { setText: () => {} }, sessionName: undefined, showStatus: () => {} });
			case "terminal away":
				this.screen.ours = false;
				return;
			case "terminal back":
				this.screen.ours = true;
				return this.screen.requestRender();
			default:
				return this.#hear(what);
		}
	}

	/** `answer NUMBER VERDICT`; the verdict is `null` where no answer will come. */
	#hear(what: string): void {
		const [word, question, verdict] = what.split(" ");
		if (word !== "answer") throw new Error(`a trace says ${what}`);
		this.#questions.get(Number(question))?.(verdict === "null" ? null : (verdict as Verdict));
	}

	#start(): void {
		this.#box.prepare();
		this.#status.publish();
		this.#told.push("hello");
		this.#mailbox.look();
	}

	#said(): Record<string, unknown> {
		const { state, by, shown, attended, runs, waived, engagement, problem, reflex } = JSON.parse(this.files.read(STATUS) ?? "{}");
		return { state, by, shown, attended, runs: [...runs].sort(), waived: [...waived].sort(), engagement, problem: problem?.code ?? null, reflex: { mode: reflex.mode, reports: reflex.reports, away: reflex.away, silent: reflex.silent } };
	}

	#left(): string[] {
		return this.files
			.names("/s/box")
			.map(name => (name.endsWith(".claim") ? "claim" : `box/${name}`))
			.sort();
	}
}
