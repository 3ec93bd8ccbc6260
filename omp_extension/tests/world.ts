/** One pane with everybody around it: the host, a controller that follows the model's cycle, breaks, a person, and the extension's own code. */
import { Attended } from "../src/attended.ts";
import { Box } from "../src/box.ts";
import { FOCUS } from "../src/documents.ts";
import { FocusRepair } from "../src/focus.ts";
import { Gate } from "../src/gate.ts";
import { readHolds } from "../src/holds.ts";
import { guarded } from "../src/log.ts";
import { Mailbox, RETRY_MS } from "../src/mailbox.ts";
import { Overlay } from "../src/overlay.ts";
import { inForce } from "../src/rules.ts";
import { saysPaused } from "../src/screen.ts";
import { Status } from "../src/status.ts";
import { Clock, Dialog, FakeGate, FakeScreen, MemoryFiles, pauseCommand, type Random, settled } from "./fakes.ts";

const STATUS = "/s/agents/p.1.json";
const MAILBOX = "/s/mailbox/p.1";
const PENDING = `${MAILBOX}/pending.json`;
const RESUME = `${MAILBOX}/resume.json`;
const ACK = `${MAILBOX}/ack.json`;
const HOLDS = "/holds";
const PLACE = { session: "tmux-1", pane: "%1" };

interface Published {
	state: "running" | "paused";
	by: "request" | "person" | null;
	attended: number;
	runs: string[];
	waived: string[];
	engagement: string | null;
}

type Cycle = { step: "counted"; count: number } | { step: "judge"; count: number; focused: boolean } | { step: "end" };

export class Violation extends Error {}

export class World {
	readonly clock = new Clock();
	readonly files = new MemoryFiles();
	readonly gate = new FakeGate();
	readonly screen = new FakeScreen(this.clock.later);
	readonly trace: string[] = [];
	readonly mailbox: Mailbox;
	readonly errors: unknown[] = [];
	focused = true;
	allowed = false;
	drawBroken = false;
	/** Terminal input that has not been read. */
	queue: ("I" | "O" | "K")[] = [];
	#looks = true;
	#wake: "none" | "unseen" | "seen" = "none";
	#cycle: Cycle | null = null;
	#breaks = 0;
	/** The person has come back, and the agent has seen neither a report nor a key since. */
	#unnoticed = false;
	/** Whose act is going on: the person may do anything, the extension may not. */
	#acting: "extension" | "person" | "stranger" | "failure" = "extension";
	#personPaused = false;
	#before: Published | null = null;
	readonly #engagements = new Set<string>();
	readonly #attended: Attended;
	readonly #status: Status;
	readonly #overlay: Overlay;
	readonly #report = (error: unknown): void => void this.errors.push(error);
	readonly #safeLook = guarded(() => this.mailbox.look(), this.#report);
	violation: Violation | null = null;

	constructor() {
		const { clock, files, screen } = this;
		this.#attended = new Attended(() => this.#status.publishSoon());
		const focus = new FocusRepair(screen);
		focus.remember();
		const report = this.#report;
		clock.onError = report;
		const watched = new Gate(
			this.gate,
			guarded(paused => this.mailbox.gateChangedOutside(paused), report),
		);
		this.gate.onChange(paused => this.#gateMoved(paused));
		this.#overlay = new Overlay({
			screen,
			gate: watched,
			focus,
			pause: host => pauseCommand(this.gate, host, this.drawBroken),
			terminalIsOurs: () => true, // the worse case: nobody says so, and only the missing paint tells
			sessionName: () => undefined,
			showStatus: () => {},
			later: clock.later,
			onReady: this.#safeLook,
			onLost: guarded(() => this.mailbox.screenLost(), report),
			onError: report,
		});
		this.#status = new Status({
			files,
			copies: [{ file: STATUS, pane: PLACE.pane }],
			content: () => ({ ...this.mailbox.state, attended: this.#attended.count }),
			nowMs: () => clock.nowMs,
			later: clock.later,
			report,
		});
		let uuids = 0;
		let engagements = 0;
		this.mailbox = new Mailbox({
			boxes: [new Box(MAILBOX, files, report, () => `${++uuids}`)],
			places: [PLACE],
			attended: this.#attended,
			screen: this.#overlay,
			versions: {},
			holds: () => readHolds(files, HOLDS),
			saysPaused: () => saysPaused(screen),
			nowMs: () => clock.nowMs,
			later: clock.later,
			newEngagement: () => `1-${++engagements}`,
			publish: () => this.#published(),
			wake: () => this.#woken(),
			report,
		});
		this.#status.publish();
		this.#woken();
		const poll = (): void => {
			this.#status.retry();
			this.#safeLook();
			clock.later(RETRY_MS, poll);
		};
		clock.later(RETRY_MS, poll);
	}

	/** One step of somebody, chosen by chance. */
	async step(random: Random): Promise<void> {
		const kind = random.next();
		const from = kind < 0.68 ? this.#internal() : kind < 0.86 ? this.#person() : kind < 0.95 ? this.#breakDriver() : this.#disturbances();
		const [name, act] = random.pick(from);
		await this.#do(name, act);
	}

	/** Nothing fails any more and nobody does anything: what must be so in the end? */
	async quiet(): Promise<void> {
		await this.#do("quiet: the terminal is back", () => this.#repair());
		const until = this.clock.nowMs + 5 * RETRY_MS;
		for (let turn = 0; turn < 10_000; turn++) {
			const waiting = this.#internal().filter(([name]) => name !== "time");
			const next = waiting[0];
			if (next) await this.#do(next[0], next[1]);
			else if (this.clock.nowMs < until) await this.#do("time", () => this.clock.step());
			else return this.#checkQuiet();
		}
		throw new Violation("does not come to rest");
	}

	get status(): Published {
		return JSON.parse(this.files.read(STATUS) ?? "{}") as Published;
	}

	get held(): string[] {
		const waived = new Set(this.mailbox.state.waived);
		return readHolds(this.files, HOLDS)
			.filter(hold => inForce(hold, this.clock.nowMs) && !waived.has(hold.run))
			.map(hold => hold.run);
	}

	// --- whose turn it is

	#internal(): [string, () => void][] {
		const steps: [string, () => void][] = [["time", () => this.clock.step()]];
		if (this.queue.length > 0) steps.push(["agent reads input", () => this.#read()]);
		if (this.#looks) steps.push(["agent looks", () => this.#look()]);
		if (this.#cycle) steps.push([`cycle: ${this.#cycle.step}`, () => this.#goOn()]);
		else if (this.#wake !== "none") steps.push(["cycle begins", () => this.#begin()]);
		return steps;
	}

	#breakDriver(): [string, () => void][] {
		return [
			["break starts", () => this.#startBreak(null)],
			["short break starts", () => this.#startBreak(this.clock.nowMs + 40)],
			...this.held.flatMap((run): [string, () => void][] => Array(2).fill([`${run} ends`, () => this.#endBreak(run)])),
		];
	}

	#disturbances(): [string, () => void][] {
		return [
			["terminal lost", () => this.#fail(() => (this.screen.ours = false))],
			["all works again", () => this.#repair()],
			["all works again", () => this.#repair()],
			["all works again", () => this.#repair()],
			["drawing breaks", () => this.#fail(() => (this.drawBroken = true))],
			["disk full", () => this.#fail(() => (this.files.fails = file => file.startsWith(MAILBOX)))],
			["controller dies", () => this.#controllerDies()],
			["dialog opens", () => this.screen.replaceEditor(new Dialog())],
			["dialog closes", () => this.screen.replaceEditor(null)],
			["somebody resumes the gate", () => this.#strangerResumes()],
			["a nudge", () => (this.#looks = true)],
		];
	}

	#person(): [string, () => void][] {
		if (!this.focused) {
			return [
				["person comes", () => this.#moveFocus(true, "I")],
				["person comes, unreported", () => this.#moveFocus(true, null)],
				["person allows", () => this.#allow()],
			];
		}
		const steps: [string, () => void][] = [
			["person leaves", () => this.#moveFocus(false, "O")],
			["person types", () => void this.queue.push("K")],
		];
		if (this.screen.top) steps.push(["person resumes", () => this.#personResumes()], ["person resumes", () => this.#personResumes()]);
		else if (this.screen.getFocused() === this.screen.editor) {
			steps.push(["person: /pause", () => this.#personPauses()], ["person: pause key", () => this.#personPressesPause()]);
		}
		return steps;
	}

	async #do(name: string, act: () => void): Promise<void> {
		this.trace.push(`${this.clock.nowMs} ${name}`);
		act();
		await settled();
		this.#acting = "extension";
		this.#checkAlways();
	}

	// --- the person and the world

	#moveFocus(focused: boolean, report: "I" | "O" | null): void {
		this.focused = focused;
		this.allowed = false;
		this.#unnoticed = focused;
		if (report) this.queue.push(report);
		this.#wake = "unseen";
	}

	#allow(): void {
		this.allowed = true;
		this.#wake = "unseen";
	}

	#personResumes(): void {
		this.#acting = "person";
		this.#personPaused = false;
		this.queue = [];
		this.screen.top?.handleInput?.("\r");
	}

	#personPauses(): void {
		this.#acting = "person";
		if (this.gate.paused) return;
		this.#personPaused = true;
		const host = { ui: this.screen, editor: { setText: () => {} }, sessionName: undefined, showStatus: () => {} };
		void pauseCommand(this.gate, host).catch(() => this.gate.resume());
	}

	#personPressesPause(): void {
		this.#acting = "person";
		guarded(() => this.mailbox.pauseByPerson(), this.#report)();
		this.#personPaused = this.gate.paused;
	}

	#strangerResumes(): void {
		if (this.#personPaused) return; // of a pause that nobody else shows on the screen nothing can be said
		this.#acting = "stranger";
		this.gate.resume();
	}

	#startBreak(deadline_ms: number | null): void {
		if (this.#breaks >= 12) return;
		const run = `b-${++this.#breaks}`;
		this.files.write(`${HOLDS}/${run}.json`, JSON.stringify({ v: 1, run, kind: "break", scope: "all", started_ms: 0, deadline_ms }));
		this.#wake = "unseen";
	}

	#endBreak(run: string): void {
		this.files.remove(`${HOLDS}/${run}.json`);
		this.#wake = "unseen";
	}

	#fail(cause: () => void): void {
		this.#acting = "failure";
		cause();
	}

	#repair(): void {
		this.screen.ours = true;
		this.drawBroken = false;
		this.files.fails = () => false;
		this.screen.requestRender();
	}

	#controllerDies(): void {
		if (this.#cycle) this.#wake = "unseen";
		this.#cycle = null;
	}

	// --- the controller, as the model has it

	#begin(): void {
		this.#wake = "seen";
		this.#cycle = { step: "counted", count: this.status.attended };
	}

	#goOn(): void {
		const cycle = this.#cycle;
		if (cycle?.step === "counted") this.#cycle = { step: "judge", count: cycle.count, focused: this.focused };
		else if (cycle?.step === "judge") {
			this.#judge(cycle.count, cycle.focused);
			this.#cycle = { step: "end" };
		} else {
			if (this.#wake === "seen") this.#wake = "none";
			this.#cycle = null;
		}
	}

	#judge(count: number, focused: boolean): void {
		const { state, runs, waived, engagement } = this.status;
		const wanted: Record<string, object> = {};
		for (const hold of readHolds(this.files, HOLDS)) {
			if (inForce(hold, this.clock.nowMs) && !waived.includes(hold.run)) wanted[hold.run] = { reason: "break", deadline_ms: hold.deadlineMs };
		}
		if (!focused && !this.allowed) wanted[FOCUS] = { reason: "elsewhere", deadline_ms: null, attended: count };
		const anything = Object.keys(wanted).length > 0;
		if (state === "paused") {
			if (!anything && runs.length > 0 && !runs.includes(FOCUS)) this.#deliver(RESUME, { v: 1, engagement });
		} else if (anything || this.#underway()) this.#deliver(PENDING, { v: 1, runs: wanted });
	}

	#underway(): boolean {
		return this.files.names(MAILBOX).some(name => name.includes("pending.json") || name === "ack.json");
	}

	#deliver(file: string, document: object): void {
		const fails = this.files.fails;
		this.files.fails = () => false;
		this.files.write(file, JSON.stringify(document));
		this.files.fails = fails;
		this.#looks = true;
	}

	// --- the extension's surroundings

	#read(): void {
		const input = this.queue.shift();
		if (input !== "O" && !this.queue.includes("O")) this.#unnoticed = false;
		if (input === "I") this.#attended.focusIn();
		else if (input === "O") this.#attended.focusOut();
		else this.#attended.key();
	}

	#look(): void {
		this.#looks = false;
		this.#safeLook();
	}

	#published(): void {
		this.#status.publish();
		const now = this.status;
		const before = this.#before;
		this.#before = now;
		if (now.state === "paused" && now.by === "request" && before?.state !== "paused") this.#checkConfirmed(now);
		if (now.state === "paused" && before?.state !== "paused") this.#checkNewEngagement(now);
	}

	#woken(): void {
		if (this.files.read(STATUS) === null) this.#violate("woke the controller before there was a status file");
		if (this.status.state !== this.mailbox.state.state) this.#violate("woke the controller before the status file said why");
		if (this.status.attended !== this.#attended.count) this.#violate("woke the controller with an old count");
		this.#wake = "unseen";
	}

	// --- what must be so

	/** Inside the extension's own calls a throw might be caught: it is kept for the end of the step. */
	#violate(text: string): void {
		this.violation ??= new Violation(text);
	}

	#gateMoved(paused: boolean): void {
		if (paused || this.#acting !== "extension") return;
		if (this.#personPaused) this.#violate("the person's own pause was undone");
		const failed = !this.screen.ours || this.drawBroken || this.files.fails(ACK);
		if (this.held.length > 0 && !failed && saysPaused(this.screen)) this.#violate(`let go while ${this.held.join(", ")} is in force`);
	}

	#checkConfirmed(now: Published): void {
		const due = this.held.length > 0 || (!this.focused && !this.allowed);
		const known = this.queue.length === 0 && !this.#cycle && this.#wake === "none";
		if (!due && known) this.#violate("late pause: nothing stands, and everybody knows");
		if (!due && this.focused && this.queue.length === 0 && now.attended === this.#attended.count && !this.#unnoticed) {
			this.#violate("late pause: under the eyes of a person whose return the agent has read");
		}
		if (now.runs.every(run => now.waived.includes(run))) this.#violate("asked again for what the person has waived");
		if (!now.runs.every(run => run === FOCUS || this.held.includes(run))) this.#violate(`paused for a hold that is over: ${now.runs.join(", ")}`);
		if (!this.#overlay.painted()) this.#violate("acknowledged what is not on the screen");
	}

	#checkNewEngagement({ engagement }: Published): void {
		if (engagement === null || this.#engagements.has(engagement)) return this.#violate(`engagement ${engagement} again`);
		this.#engagements.add(engagement);
	}

	#checkAlways(): void {
		if (this.violation) throw this.violation;
		if (this.gate.paused && !this.screen.top) throw new Violation("the gate is engaged and nothing is on the screen");
		if (!this.gate.paused && this.screen.top) throw new Violation("the pause screen is up and the gate is open");
		if (this.gate.paused !== (this.mailbox.state.state === "paused") && !this.gate.paused) throw new Violation("says paused and runs");
		if (this.screen.editor.text !== "draft 🎉\nsecond line") throw new Violation("the draft was touched");
		for (const error of this.errors) if (!(error instanceof Error && /no space|drawn/.test(error.message))) throw error;
	}

	#checkQuiet(): void {
		const { state, by } = this.mailbox.state;
		const due = [...this.held, ...(this.focused || this.allowed ? [] : [FOCUS])];
		if (due.length > 0 && state !== "paused") throw new Violation(`lost pause: ${due.join(", ")} in force, the agent runs`);
		const left = this.files.names(MAILBOX).filter(name => name !== "ack.json");
		if (left.length > 0) throw new Violation(`left over: ${left.join(", ")}`);
		if ((this.files.read(ACK) !== null) !== (state === "paused" && by === "request")) throw new Violation(`ack.json beside ${state} by ${by}`);
		const published = { ...this.status };
		if (published.state !== state || published.attended !== this.#attended.count) throw new Violation("the status file is not the truth");
		if (!this.screen.top && this.screen.getFocused() !== this.screen.box.children.at(-1)) throw new Violation("the keyboard goes nowhere");
	}
}
