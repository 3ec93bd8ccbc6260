/** One pane with everybody around it: the host, a controller that follows the model's cycle, breaks, a person, and the extension's own code. */
import type { Answered, Verdict } from "../src/ask.ts";
import { Attended } from "../src/attended.ts";
import { RETRY_MS } from "../src/backoff.ts";
import { Box } from "../src/box.ts";
import { FOCUS } from "../src/documents.ts";
import { FocusRepair } from "../src/focus.ts";
import { Gate } from "../src/gate.ts";
import { GentlePause } from "../src/gentle.ts";
import { readHolds } from "../src/holds.ts";
import { readAwayCounts, readLease } from "../src/lease.ts";
import { BrakeLine } from "../src/line.ts";
import { guarded } from "../src/log.ts";
import { Mailbox } from "../src/mailbox.ts";
import { Overlay } from "../src/overlay.ts";
import { published } from "../src/published.ts";
import { BOUNDARY_LINE_MS, CHECK_MS, Reflex, REQUEST_MS } from "../src/reflex.ts";
import { inForce } from "../src/rules.ts";
import { type Component, saysPaused } from "../src/screen.ts";
import { Status } from "../src/status.ts";
import { Clock, Dialog, FakeGate, FakeScreen, MemoryFiles, pauseCommand, type Random, settled } from "./fakes.ts";

const STATUS = "/s/agents/p.1.json";
const MAILBOX = "/s/mailbox/p.1";
const PENDING = `${MAILBOX}/pending.json`;
const RESUME = `${MAILBOX}/resume.json`;
const ACK = `${MAILBOX}/ack.json`;
const HOLDS = "/holds";
const LEASE = "/reflex.json";
const ASK_MS = 250;
const PLACE = { session: "tmux-1", pane: "%1" };

interface Published {
	state: "running" | "braked" | "paused";
	by: "request" | "person" | null;
	shown: "overlay" | "line" | null;
	attended: number;
	reflex: { away: boolean };
	runs: string[];
	waived: string[];
	engagement: string | null;
}

type Cycle = { step: "counted"; count: number } | { step: "judge"; count: number; focused: boolean } | { step: "end" };

/** A question of the reflex on its way: first the controller looks, then its answer arrives. */
interface Question {
	readonly number: number;
	readonly atMs: number;
	readonly answered: Answered;
	verdict: Verdict | null;
}

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
	queue: ("I" | "O" | "K" | "R" | "E")[] = [];
	/** What the controller's settings say of how a pause is to show. */
	#show: "overlay" | "line" = "overlay";
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
	readonly #gentle: GentlePause;
	readonly #gate: Gate;
	readonly #reflex: Reflex;
	readonly #questions: Question[] = [];
	#newest: { number: number; atMs: number; said: Verdict | "lost" | null; saidMs: number } | null = null;
	/** Until when the lease was seen to stand, or nothing was held. */
	#leaseMs = 0;
	#boundarySinceMs = 0;
	#lastRead: "I" | "O" | "K" | "R" | "E" | null = null;
	/** The pause screen whose key the agent has read; the gate is not open yet. */
	#ending: Component | undefined;
	/** A gate is about to open in a pane that has lost the focus since. */
	#left = false;
	/** Tools that wait at the gate or have passed it. */
	#parked = 0;
	#toolsStarted = 0;

	constructor() {
		const { clock, files, screen } = this;
		this.#attended = new Attended(() => this.#status.publishSoon());
		const focus = new FocusRepair(screen);
		focus.remember();
		const report = this.#report;
		clock.onError = report;
		const watched = new Gate(this.gate, {
			outside: guarded(paused => this.mailbox.gateChangedOutside(paused), report),
			takenFromReflex: guarded(() => this.#reflex.taken(), report),
			takenFromLine: guarded(() => this.mailbox.lineTaken(), report),
		});
		this.#gate = watched;
		this.#reflex = new Reflex({
			attended: this.#attended,
			gate: watched,
			line: new BrakeLine(screen),
			lease: () => readLease(files, LEASE, clock.nowMs),
			awayCounts: () => readAwayCounts(files, LEASE, clock.nowMs),
			ask: (question, event, answered) => this.#asked(question, event, answered),
			terminalIsOurs: () => true,
			requested: () => this.mailbox.requested,
			nowMs: () => clock.nowMs,
			later: clock.later,
			publish: () => this.#published(),
			wake: () => this.#woken(),
			report: () => {}, // what it gives up is told, and checked in its own tests
		});
		this.gate.onChange(paused => this.#gateMoved(paused));
		this.#overlay = new Overlay({
			screen,
			gate: watched,
			focus,
			pause: host => pauseCommand(this.gate, host, this.drawBroken),
			terminalIsOurs: () => true, // the worse case: nobody says so, and only the missing paint tells
			conversationName: () => undefined,
			showStatus: () => {},
			later: clock.later,
			onReady: this.#safeLook,
			onLost: guarded(() => this.mailbox.screenLost(), report),
			onError: report,
		});
		this.#gentle = new GentlePause({
			screen,
			gate: watched,
			widgets: screen,
			resumeKey: "ctrl+alt+r",
			terminalIsOurs: () => true,
			nowMs: () => clock.nowMs,
		});
		this.#status = new Status({
			files,
			copies: [{ file: STATUS, pane: PLACE.pane }],
			content: () => this.#truth,
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
			screens: { overlay: this.#overlay, line: this.#gentle },
			versions: {},
			holds: () => readHolds(files, HOLDS),
			saysPaused: () => saysPaused(screen),
			nowMs: () => clock.nowMs,
			later: clock.later,
			newEngagement: () => `1-${++engagements}`,
			publish: () => this.#published(),
			wake: () => this.#woken(),
			requestEnded: guarded(() => this.#reflex.requestEnded(), report),
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
		const from = kind < 0.58 ? this.#internal() : kind < 0.68 ? this.#agentSteps() : kind < 0.86 ? this.#person() : kind < 0.95 ? this.#breakDriver() : this.#disturbances();
		const [name, act] = random.pick(from);
		await this.#do(name, act);
	}

	/** Nothing fails any more and nobody does anything: what must be so in the end? */
	async quiet(): Promise<void> {
		await this.#do("quiet: the terminal is back", () => this.#repair());
		await this.#do("quiet: the lease lasts", () => this.#lease(this.#mode, 55_000));
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

	/** The line that says that the reflex holds the agent. */
	get line(): string | undefined {
		return this.screen.widget("attention-brake");
	}

	/** The line that says that the agent is paused. */
	get pauseLine(): string | undefined {
		return this.screen.widget("attention-pause");
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
		if (this.#ending && this.#ending === this.screen.top) steps.push(["person resumes: the gate opens", () => this.#opens()]);
		if (this.#looks) steps.push(["agent looks", () => this.#look()]);
		if (this.#cycle) steps.push([`cycle: ${this.#cycle.step}`, () => this.#goOn()]);
		else if (this.#wake !== "none") steps.push(["cycle begins", () => this.#begin()]);
		for (const question of this.#questions) {
			if (question.verdict === null) steps.push([`question ${question.number}: the controller looks`, () => this.#judgeQuestion(question)]);
			else steps.push([`question ${question.number}: ${question.verdict}`, () => this.#answer(question, question.verdict)]);
		}
		return steps;
	}

	#agentSteps(): [string, () => void][] {
		return [
			["agent is before a tool", () => this.#reachTool()],
			["agent is before a turn", () => this.#reflex.boundary("turn")],
			["lease renewed", () => this.#lease(this.#mode)],
			["lease: brake", () => this.#lease("brake")],
			["lease: strict", () => this.#lease("strict")],
			["short lease", () => this.#lease(this.#mode, 300)],
			["lease gone", () => this.files.remove(LEASE)],
			...this.#questions.flatMap((question): [string, () => void][] => [
				[`question ${question.number}: connection lost`, () => this.#answer(question, null)],
				[`question ${question.number}: never answered`, () => void this.#questions.splice(this.#questions.indexOf(question), 1)],
				[`question ${question.number}: unknown`, () => this.#answer(question, "unknown")],
			]),
		];
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
			["setting: overlay", () => (this.#show = "overlay")],
			["setting: line", () => (this.#show = "line")],
			["setting: line", () => (this.#show = "line")],
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
			["person presses the resume key", () => void this.queue.push("R")],
			["person leaves and comes", () => (this.#moveFocus(false, "O"), this.#moveFocus(true, "I"))],
		];
		if (this.screen.top) steps.push(...Array(2).fill(["person presses the key that ends the screen", () => void this.queue.push("E")]));
		else if (this.screen.getFocused() === this.screen.editor) {
			steps.push(["person: /pause", () => this.#personPauses()], ["person: pause key", () => this.#personPressesPause()]);
		}
		return steps;
	}

	async #do(name: string, act: () => void): Promise<void> {
		this.trace.push(`${this.clock.nowMs} ${name}`);
		const [held, started, question] = [this.#heldByReflex, this.#toolsStarted, this.#newest?.number];
		const [closed, owner] = [this.gate.paused, this.#gate.owner];
		this.#lastRead = null;
		this.#left = false;
		act();
		await settled();
		if (this.#left && !this.gate.paused) this.#violate("the gate is open after the report of the lost focus");
		if (held && !this.gate.paused) this.#checkLetGo(name, owner === "boundary");
		const opened = (/^(person resumes|somebody)/.test(name) && !this.#left) || this.#lastRead === "R"; // a request that waits may close the gate again within the step
		if (closed && !opened && this.gate.paused && this.#toolsStarted > started) this.#violate("a tool slipped through while the gate changed hands");
		if (name === "time" && !held && this.#heldByReflex && this.#newest?.number === question) this.#violate("braked without a question");
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

	#opens(): void {
		this.#acting = "person";
		this.#personPaused = false;
		this.#left = this.#attended.away && this.#reflex.state.mode !== "off";
		this.screen.top?.handleInput?.("\r");
	}

	#personPauses(): void {
		this.#acting = "person";
		this.#personPaused = true;
		const host = { ui: this.screen, editor: { setText: () => {} }, sessionName: undefined, showStatus: () => {} };
		void pauseCommand(this.gate, host).catch(() => this.gate.resume());
	}

	#personPressesPause(): void {
		this.#acting = "person";
		guarded(() => this.mailbox.pauseByPerson(), this.#report)();
		this.#personPaused = this.#gate.owner === "person";
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

	// --- the agent's steps, and the questions of the reflex

	get #heldByReflex(): boolean {
		return this.#gate.owner === "brake" || this.#gate.owner === "boundary";
	}

	get #truth(): Published {
		return published(this.mailbox, this.#reflex, this.#attended) as Published;
	}

	get #mode(): "brake" | "strict" {
		return (JSON.parse(this.files.read(LEASE) ?? '{"mode":"brake"}') as { mode: "brake" | "strict" }).mode;
	}

	#lease(mode: "brake" | "strict", ms = 15_000): void {
		const lease = { v: 1, mode, away: "ignore", fail: "open", ask_ms: ASK_MS, until_ms: this.clock.nowMs + ms };
		this.files.write(LEASE, JSON.stringify(lease));
	}

	#reachTool(): void {
		const [strict, before, free] = [this.#reflex.state.mode === "strict", this.#newest?.number, !this.gate.paused];
		this.#reflex.boundary("tool");
		if (strict && free && (this.#newest?.number === before || !this.gate.paused)) this.#violate("strict: a step was not asked about");
		if (this.#parked > 3) return;
		this.#parked++;
		void this.gate.park().then(() => {
			this.#parked--;
			this.#toolsStarted++;
		});
	}

	#asked(number: number, event: string, answered: Answered): void {
		if (this.#newest && number <= this.#newest.number) this.#violate("two questions with one number");
		if (event === "focus-out" && this.#heldByReflex) {
			const { state, shown, reflex } = this.status;
			if (!reflex?.away || state !== "braked" || shown !== "line") this.#violate("asked before the status file said why");
		}
		this.#newest = { number, atMs: this.clock.nowMs, said: null, saidMs: 0 };
		this.#questions.push({ number, atMs: this.clock.nowMs, answered, verdict: null });
		this.#wake = "unseen";
	}

	#judgeQuestion(question: Question): void {
		question.verdict = this.held.length > 0 || (!this.focused && !this.allowed) ? "pause" : "run";
	}

	#answer(question: Question, verdict: Verdict | null): void {
		this.#questions.splice(this.#questions.indexOf(question), 1);
		if (this.#newest?.number === question.number && this.#newest.said === null) {
			this.#newest.said = verdict ?? "lost";
			this.#newest.saidMs = this.clock.nowMs;
		}
		guarded(question.answered, this.#report)(verdict);
	}

	/** The reflex has let go, or somebody has taken the gate from it and opened it. */
	#checkLetGo(step: string, boundary: boolean): void {
		if (/^(person|somebody|drawing|quiet)/.test(step) || (this.#lastRead !== null && this.#lastRead !== "O")) return;
		const newest = this.#newest;
		const lease = readLease(this.files, LEASE, this.clock.nowMs);
		if (!newest || !lease || (boundary && lease.mode !== "strict")) return;
		if (newest.said === "run" || newest.said === "unknown" || newest.said === "lost") return;
		if (newest.said === null && this.clock.nowMs >= newest.atMs + ASK_MS) return;
		if (newest.said === "pause" && this.clock.nowMs >= newest.saidMs + REQUEST_MS && !this.mailbox.requested) return;
		this.#violate(`let go although question ${newest.number} was ${newest.said === null ? "open" : `answered ${newest.said}`}`);
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
		} else if (anything || this.#underway()) this.#deliver(PENDING, { v: 1, runs: wanted, show: this.#show });
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
		const before = this.#newest?.number;
		this.#lastRead = input ?? null;
		if (input !== "O" && !this.queue.includes("O")) this.#unnoticed = false;
		if (input === "I") this.#reflex.focusIn();
		else if (input === "O") this.#reflex.focusOut();
		else if (input !== "R" || !this.#resumeKey()) this.#reflex.key();
		if (input === "E") this.#ending = this.screen.top;
		if (input === "O") this.#checkBraked(before);
		else if (this.#heldByReflex) this.#violate("holds the agent of a person who is here");
	}

	/** False: it is a key like any other. */
	#resumeKey(): boolean {
		this.#acting = "person";
		const shown = this.pauseLine !== undefined;
		if (this.mailbox.resumeByPerson() !== shown) this.#violate("the resume key ends the pause that a line shows, and no other");
		return shown;
	}

	/** A lost focus has just been read. */
	#checkBraked(before: number | undefined): void {
		if (this.status.reflex.away !== true) this.#violate("the lost focus is not told");
		if (this.#reflex.state.mode === "off") return;
		if (!this.gate.paused) this.#violate("the focus is lost, and the gate is open");
		if (this.#heldByReflex && this.#newest?.number === before) this.#violate("the focus is lost, and nothing was asked");
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
		if (this.status.state !== this.#truth.state && this.status.state !== "braked") this.#violate("woke the controller before the status file said why");
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
		const seen = (this.screen.top && saysPaused(this.screen)) || this.#gentle.painted();
		if (this.held.length > 0 && !failed && seen) this.#violate(`let go while ${this.held.join(", ")} is in force`);
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
		const { shown } = JSON.parse(this.files.read(ACK) ?? "{}") as { shown?: string };
		if (shown !== now.shown) this.#violate(`acknowledged as ${shown} what is published as ${now.shown}`);
		if (!(now.shown === "line" ? this.#gentle : this.#overlay).painted()) this.#violate("acknowledged what is not on the screen");
	}

	#checkNewEngagement({ engagement }: Published): void {
		if (engagement === null || this.#engagements.has(engagement)) return this.#violate(`engagement ${engagement} again`);
		this.#engagements.add(engagement);
	}

	#checkAlways(): void {
		if (this.violation) throw this.violation;
		this.#checkHold();
		if (this.pauseLine !== undefined && this.#gate.owner !== "line") throw new Violation("a line says that the agent is paused, and it is not, or by something else");
		if (!this.gate.paused && this.screen.top) throw new Violation("the pause screen is up and the gate is open");
		if (this.gate.paused !== (this.mailbox.state.state === "paused") && !this.gate.paused) throw new Violation("says paused and runs");
		if (this.screen.editor.text !== "draft 🎉\nsecond line") throw new Violation("the draft was touched");
		for (const error of this.errors) if (!(error instanceof Error && /no space|drawn/.test(error.message))) throw error;
	}

	#checkHold(): void {
		const [owner, now] = [this.#gate.owner, this.clock.nowMs];
		if (owner !== "boundary") this.#boundarySinceMs = now;
		const shown = this.screen.top !== undefined || this.line !== undefined || this.pauseLine !== undefined;
		if (this.gate.paused && !shown && !(owner === "boundary" && now <= this.#boundarySinceMs + BOUNDARY_LINE_MS)) {
			throw new Violation("the gate is engaged and nothing is on the screen");
		}
		if (this.line !== undefined && !this.#heldByReflex) throw new Violation("the line says that the agent is held, and it is not");
		if (!this.#heldByReflex || readLease(this.files, LEASE, now)) this.#leaseMs = now;
		else if (now > this.#leaseMs + 2 * CHECK_MS) throw new Violation("braked long after the lease is over");
	}

	#checkQuiet(): void {
		if (this.#heldByReflex) throw new Violation("the reflex holds an agent for ever");
		if (this.#parked > 0 && !this.gate.paused) throw new Violation("a tool waits at an open gate");
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
