/** The mailbox with its real screen, gate and files, one act after another. */
import { Attended } from "../src/attended.ts";
import { Box } from "../src/box.ts";
import { FocusRepair } from "../src/focus.ts";
import { Gate } from "../src/gate.ts";
import { GentlePause } from "../src/gentle.ts";
import { readHolds } from "../src/holds.ts";
import type { Answered } from "../src/ask.ts";
import { readAwayCounts, readLease } from "../src/lease.ts";
import { BrakeLine } from "../src/line.ts";
import { Mailbox } from "../src/mailbox.ts";
import { Overlay } from "../src/overlay.ts";
import { published } from "../src/published.ts";
import { Reflex } from "../src/reflex.ts";
import { saysPaused } from "../src/screen.ts";
import { Clock, FakeGate, FakeScreen, MemoryFiles, pauseCommand, settled } from "./fakes.ts";

export class Rig {
	readonly clock = new Clock();
	readonly files = new MemoryFiles();
	readonly gate = new FakeGate();
	readonly screen = new FakeScreen(this.clock.later);
	readonly focus = new FocusRepair(this.screen);
	readonly attended = new Attended(() => {});
	/** `publish` and `wake <trigger>` in their order. */
	readonly told: string[] = [];
	readonly reported: unknown[] = [];
	readonly said: string[] = [];
	readonly overlay: Overlay;
	readonly mailbox: Mailbox;
	readonly owned: Gate;
	readonly reflex: Reflex;
	readonly gentle: GentlePause;
	readonly questions: { question: number; event: string; answered: Answered }[] = [];
	drawBroken = false;
	terminalIsOurs = true;

	constructor(seats: readonly { session: string; pane: string; box: string }[] = [{ session: "tmux-1", pane: "%1", box: "/box" }]) {
		const { clock, files, screen, attended } = this;
		const report = (error: unknown): void => void this.reported.push(error);
		const gate = new Gate(this.gate, {
			outside: paused => this.mailbox.gateChangedOutside(paused),
			takenFromReflex: () => this.reflex.taken(),
			takenFromLine: () => this.mailbox.lineTaken(),
		});
		this.owned = gate;
		this.reflex = new Reflex({
			attended,
			gate,
			line: new BrakeLine(screen),
			lease: () => readLease(files, "/reflex.json", clock.nowMs),
			awayCounts: () => readAwayCounts(files, "/reflex.json", clock.nowMs),
			ask: (question, event, answered) => {
				this.told.push(`ask ${event}`);
				this.questions.push({ question, event, answered });
			},
			terminalIsOurs: () => this.terminalIsOurs,
			requested: () => this.mailbox.requested,
			nowMs: () => clock.nowMs,
			later: clock.later,
			publish: () => void this.told.push(`publish ${this.published["state"]}`),
			wake: trigger => void this.told.push(`wake ${trigger}`),
			report,
		});
		this.focus.remember();
		this.overlay = new Overlay({
			screen,
			gate,
			focus: this.focus,
			pause: host => pauseCommand(this.gate, host, this.drawBroken),
			terminalIsOurs: () => this.terminalIsOurs,
			conversationName: () => "work",
			showStatus: message => void this.said.push(message),
			later: clock.later,
			onReady: () => this.mailbox.look(),
			onLost: () => this.mailbox.screenLost(),
			onError: report,
		});
		this.gentle = new GentlePause({
			screen,
			gate,
			widgets: screen,
			resumeKey: "ctrl+alt+r",
			terminalIsOurs: () => this.terminalIsOurs,
			nowMs: () => clock.nowMs,
		});
		let [engagements, uuids] = [0, 0];
		this.mailbox = new Mailbox({
			boxes: seats.map(({ box }) => new Box(box, files, report, () => `${++uuids}`)),
			places: seats,
			attended,
			screens: { overlay: this.overlay, line: this.gentle },
			versions: { agent: "1" },
			holds: () => readHolds(files, "/holds"),
			saysPaused: () => saysPaused(screen),
			nowMs: () => clock.nowMs,
			later: clock.later,
			newEngagement: () => `1-${++engagements}`,
			publish: () => void this.told.push("publish"),
			wake: trigger => void this.told.push(`wake ${trigger}`),
			requestEnded: () => this.reflex.requestEnded(),
			report,
		});
	}

	/** The line on the screen that says that the agent is held. */
	get line(): string | undefined {
		return this.screen.widget("attention-brake");
	}

	/** The line that says that the agent is paused. */
	get pauseLine(): string | undefined {
		return this.screen.widget("attention-pause");
	}

	get published(): Record<string, unknown> {
		return published(this.mailbox, this.reflex, this.attended) as Record<string, unknown>;
	}

	lease(more: object = {}): void {
		const lease = { v: 1, mode: "brake", away: "ignore", fail: "open", ask_ms: 250, until_ms: this.clock.nowMs + 15_000, ...more };
		this.files.write("/reflex.json", JSON.stringify(lease));
	}

	/** The newest question, answered. */
	async answer(verdict: "run" | "pause" | "unknown" | null, at = -1): Promise<void> {
		this.questions.at(at)?.answered(verdict);
		await settled();
	}

	hold(run: string, more: object = {}): void {
		this.files.write(`/holds/${run}.json`, JSON.stringify({ v: 1, run, kind: "break", scope: "all", deadline_ms: null, ...more }));
	}

	ask(runs: Record<string, object>, box = "/box", more: object = {}): void {
		this.files.write(`${box}/pending.json`, JSON.stringify({ v: 1, runs, ...more }));
	}

	askResume(engagement: string): void {
		this.files.write("/box/resume.json", JSON.stringify({ v: 1, engagement }));
	}

	async look(): Promise<void> {
		this.mailbox.look();
		await settled();
	}

	/** Let this much time go by. */
	async pass(ms: number): Promise<void> {
		const until = this.clock.nowMs + ms;
		while ((this.clock.nextMs ?? Infinity) <= until) {
			this.clock.step();
			await settled();
		}
		this.clock.nowMs = until;
	}

	/** A request for a lost focus, carried out. */
	async paused(): Promise<void> {
		this.ask({ focus: { attended: this.attended.count } });
		await this.look();
		await this.pass(30);
	}

	/** A request for a lost focus that asks for the line, carried out. */
	async gentlyPaused(): Promise<void> {
		this.ask({ focus: { attended: this.attended.count } }, "/box", { show: "line" });
		await this.look();
		await this.pass(30);
	}

	/** A key of the person's on the pause screen: the extension reads it before the screen does. */
	async press(): Promise<void> {
		this.reflex.key();
		await this.opens();
	}

	/** What the key leads to, at last: the pause command opens the gate. */
	async opens(): Promise<void> {
		this.screen.top?.handleInput?.("\r");
		await settled();
	}

	get left(): string[] {
		return this.files.names("/box").sort();
	}
}
