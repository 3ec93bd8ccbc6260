/** One OMP process that takes part: its parts, wired together. */
import * as path from "node:path";
import { Attended } from "./attended.ts";
import { Box } from "./box.ts";
import type { Calls } from "./calls.ts";
import type { Config } from "./config.ts";
import type { Problem } from "./documents.ts";
import type { Files } from "./files.ts";
import { FocusRepair } from "./focus.ts";
import { Gate } from "./gate.ts";
import { readHolds } from "./holds.ts";
import { Burst, classify, Once } from "./keys.ts";
import { guarded, type Report } from "./log.ts";
import { Mailbox } from "./mailbox.ts";
import type { Omp } from "./omp.ts";
import { Overlay } from "./overlay.ts";
import { FocusReports } from "./reports.ts";
import { saysPaused, type Screen } from "./screen.ts";
import type { ProcessIdentity, Seat } from "./session.ts";
import { Status } from "./status.ts";
import { EXTENSION, PROTOCOL } from "./version.ts";
import { startRunner, Waker } from "./wake.ts";
import { FolderWatch } from "./watch.ts";

const POLL_MS = 2_000;

export interface AgentEffects {
	readonly config: Config;
	readonly files: Files;
	readonly seats: readonly Seat[];
	readonly identity: ProcessIdentity;
	readonly ompVersion: string;
	readonly calls: Calls;
	readonly report: Report;
	sessionFile(): string | null;
	sessionName(): string | undefined;
	notify(message: string): void;
}

/** What every agent does that has a seat: say who it is, and take its files along when it goes. */
export class Presence {
	readonly status: Status;
	readonly later: (ms: number, act: () => void) => void;
	readonly wake: (trigger: string) => void;
	readonly versions: object;

	constructor(
		readonly effects: AgentEffects,
		state: () => object,
	) {
		const { config, report } = effects;
		this.later = (ms, act) => void setTimeout(guarded(act, report), ms).unref();
		const start = startRunner(config.runner, config.state, report);
		const wakers = effects.seats.map(seat => new Waker(seat, start, Date.now, report));
		this.wake = trigger => wakers.forEach(waker => waker.wake(`${config.agent}:${trigger}`));
		this.versions = { agent: effects.ompVersion, extension: EXTENSION, protocol: PROTOCOL };
		this.status = new Status({
			files: effects.files,
			copies: effects.seats.map(seat => ({ file: seat.statusFile, pane: seat.pane })),
			content: () => ({
				agent: config.agent,
				...effects.identity,
				session_file: effects.sessionFile(),
				versions: this.versions,
				calls: effects.calls.list,
				...state(),
			}),
			nowMs: Date.now,
			later: this.later,
			report,
		});
	}

	/** The status file first, then the wake-up: whom it reaches must find the file. */
	hello(): void {
		for (const seat of this.effects.seats) this.effects.files.makeFolder(path.dirname(seat.statusFile));
		this.status.publish();
		this.wake("hello");
	}

	leave(): void {
		this.status.remove();
		for (const seat of this.effects.seats) this.effects.files.removeTree(seat.mailbox);
	}
}

/** An agent that cannot be paused says so, and does nothing else. */
export function unsupported(effects: AgentEffects, text: string): Presence {
	const problem: Problem = { code: "not-live", text, since_ms: Date.now() };
	return new Presence(effects, () => ({
		state: "unsupported",
		by: null,
		shown: null,
		attended: 0,
		runs: [],
		waived: [],
		engagement: null,
		problem,
	}));
}

export class Agent {
	readonly #presence: Presence;
	readonly #mailbox: Mailbox;
	readonly #attended: Attended;
	readonly #focus: FocusRepair;
	readonly #reports: FocusReports;
	readonly #watches: FolderWatch[];
	readonly #closers: (() => void)[] = [];
	readonly #look: () => void;
	readonly pressLook: () => void;
	readonly pressPause: () => void;

	constructor(
		private readonly effects: AgentEffects,
		private readonly omp: Omp,
		private readonly screen: Screen,
	) {
		const { files, seats, config, report } = effects;
		this.#attended = new Attended(() => this.#presence.status.publishSoon());
		this.#presence = new Presence(effects, () => ({ ...this.#mailbox.state, attended: this.#attended.count }));
		const { later, status, wake, versions } = this.#presence;
		const boxes = seats.map(seat => new Box(seat.mailbox, files, report));
		this.#focus = new FocusRepair(screen);
		let engagements = 0;
		this.#mailbox = new Mailbox({
			boxes,
			places: seats,
			attended: this.#attended,
			screen: this.#overlay(),
			versions,
			holds: () => readHolds(files, path.join(config.state, "holds")),
			saysPaused: () => saysPaused(screen),
			nowMs: Date.now,
			later,
			newEngagement: () => `${effects.identity.pid}-${++engagements}`,
			publish: () => status.publish(),
			wake,
			report,
		});
		for (const box of boxes) box.prepare();
		this.#look = guarded(() => this.#mailbox.look(), report);
		this.pressLook = guarded(bound(new Burst(this.#look, later)), report);
		this.pressPause = guarded(bound(new Once(() => this.#mailbox.pauseByPerson(), Date.now)), report);
		this.#reports = new FocusReports(screen, terminalIsOurs);
		this.#watches = seats.map(seat => new FolderWatch(seat.mailbox, this.#look, report));
	}

	start(): void {
		const { report } = this.effects;
		for (const watch of this.#watches) watch.arm();
		const listen = guarded((data: string) => this.#input(data), report);
		this.#closers.push(this.screen.addInputListener(listen));
		const back = this.screen.addStartListener?.(guarded(() => this.#terminalIsBack(), report));
		if (back) this.#closers.push(back);
		const poll = setInterval(guarded(() => this.#poll(), report), POLL_MS);
		poll.unref();
		this.#closers.push(() => clearInterval(poll));
		this.#closers.push(this.#reports.endBeforeStop(report));
		this.#reports.ask();
		this.#presence.hello();
		this.#look();
	}

	/** Something happened after which the mailbox is worth a look. */
	look(): void {
		this.#look();
	}

	sessionChanged(): void {
		this.#presence.status.publish();
	}

	callsChanged(): void {
		if (this.#mailbox.state.state === "paused") this.#presence.status.publishSoon();
	}

	stop(): void {
		for (const close of this.#closers) close();
		for (const watch of this.#watches) watch.close();
		this.#reports.end();
		this.#presence.leave();
	}

	#overlay(): Overlay {
		const { effects, screen, omp } = this;
		const gate = new Gate(
			omp.gate,
			guarded(paused => this.#mailbox.gateChangedOutside(paused), effects.report),
		);
		this.#closers.push(() => gate.dispose());
		this.#focus.remember();
		return new Overlay({
			screen,
			gate,
			focus: this.#focus,
			pause: host => omp.pause(host),
			terminalIsOurs,
			sessionName: () => effects.sessionName(),
			showStatus: guarded(message => effects.notify(message), effects.report),
			later: (ms, act) => this.#presence.later(ms, act),
			onReady: guarded(() => this.#mailbox.look(), effects.report),
			onLost: guarded(() => this.#mailbox.screenLost(), effects.report),
			onError: effects.report,
		});
	}

	#input(data: string): { consume: boolean } | undefined {
		const input = classify(data, this.effects.config.keys, this.omp.keys);
		switch (input) {
			case "focus-in":
				this.#attended.focusIn();
				break;
			case "focus-out":
				this.#attended.focusOut();
				break;
			case "look":
				this.pressLook();
				break;
			case "pause":
				this.pressPause();
				break;
			case "key":
				this.#attended.key();
				return undefined;
			case "none":
				return undefined;
		}
		return { consume: true };
	}

	#poll(): void {
		for (const watch of this.#watches) watch.arm();
		this.#focus.remember();
		this.#reports.poll();
		this.#presence.status.retry();
		this.#mailbox.look();
	}

	#terminalIsBack(): void {
		this.#reports.ask();
		this.#mailbox.retryNow();
	}
}

/** While an external editor or a shell has the terminal, OMP has taken it out of raw mode. */
function terminalIsOurs(): boolean {
	return process.stdin.isRaw !== false;
}

function bound(key: { press(): void }): () => void {
	return () => key.press();
}
