/** One OMP process that takes part: its parts, wired together. */
import * as path from "node:path";
import { Asker } from "./ask.ts";
import { Attended } from "./attended.ts";
import { Box } from "./box.ts";
import type { Calls } from "./calls.ts";
import type { Config } from "./config.ts";
import { type Dial, dialer } from "./controller.ts";
import type { Problem } from "./documents.ts";
import type { Files } from "./files.ts";
import { FocusRepair } from "./focus.ts";
import { Gate } from "./gate.ts";
import { GentlePause } from "./gentle.ts";
import { readHolds } from "./holds.ts";
import { Burst, classify, Once } from "./keys.ts";
import { readAwayCounts, readLease } from "./lease.ts";
import { BrakeLine, type Widgets } from "./line.ts";
import { guarded, type Report } from "./log.ts";
import { Mailbox } from "./mailbox.ts";
import type { Omp } from "./omp.ts";
import { Overlay } from "./overlay.ts";
import { Reflex } from "./reflex.ts";
import { FocusReports } from "./reports.ts";
import { saysPaused, type Screen } from "./screen.ts";
import type { ProcessIdentity, Seat } from "./session.ts";
import { Status } from "./status.ts";
import { EXTENSION, PROTOCOL } from "./version.ts";
import { startRunner, Waker, wakeResident } from "./wake.ts";
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
	readonly widgets: Widgets;
	conversationFile(): string | null;
	conversationName(): string | undefined;
	notify(message: string): void;
}

/** What every agent does that has a seat: say who it is, and take its files along when it goes. */
export class Presence {
	readonly status: Status;
	readonly later: (ms: number, act: () => void) => void;
	readonly wake: (trigger: string) => void;
	readonly dial: Dial;
	readonly versions: object;

	constructor(
		readonly effects: AgentEffects,
		state: () => object,
	) {
		const { config, report } = effects;
		this.later = (ms, act) => void setTimeout(guarded(act, report), ms).unref();
		this.dial = dialer(effects.files, path.join(config.state, "serve.addr"), this.later, report);
		const start = wakeResident(this.dial, startRunner(config.runner, config.state, report), report);
		const wakers = effects.seats.map(seat => new Waker(seat, start, Date.now, report));
		this.wake = trigger => wakers.forEach(waker => waker.wake(`${config.agent}:${trigger}`));
		this.versions = { agent: effects.ompVersion, extension: EXTENSION, protocol: PROTOCOL };
		this.status = new Status({
			files: effects.files,
			copies: effects.seats.map(seat => ({ file: seat.statusFile, pane: seat.pane })),
			content: () => ({
				agent: config.agent,
				...effects.identity,
				session_file: effects.conversationFile(),
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
		reflex: { mode: "off", reports: false, away: false, silent: 0 },
	}));
}

export class Agent {
	readonly #presence: Presence;
	readonly #mailbox: Mailbox;
	readonly #attended: Attended;
	readonly #gate: Gate;
	readonly #line: BrakeLine;
	readonly #gentle: GentlePause;
	readonly #reflex: Reflex;
	readonly #focus: FocusRepair;
	readonly #reports: FocusReports;
	readonly #watches: FolderWatch[];
	readonly #closers: (() => void)[] = [];
	readonly #look: () => void;
	readonly pressLook: () => void;
	readonly pressPause: () => void;
	readonly pressResume: () => void;

	constructor(
		private readonly effects: AgentEffects,
		private readonly omp: Omp,
		private readonly screen: Screen,
	) {
		const { files, seats, config, report } = effects;
		this.#attended = new Attended(() => this.#presence.status.publishSoon());
		this.#presence = new Presence(effects, () => published(this.#mailbox, this.#reflex, this.#attended));
		const { later, status, wake, versions } = this.#presence;
		const boxes = seats.map(seat => new Box(seat.mailbox, files, report));
		this.#focus = new FocusRepair(screen);
		this.#line = new BrakeLine(effects.widgets);
		this.#gate = this.#ownGate();
		this.#reflex = this.#ownReflex();
		this.#gentle = this.#gentlePause();
		let engagements = 0;
		this.#mailbox = new Mailbox({
			boxes,
			places: seats,
			attended: this.#attended,
			screens: { overlay: this.#overlay(), line: this.#gentle },
			versions,
			holds: () => readHolds(files, path.join(config.state, "holds")),
			saysPaused: () => saysPaused(screen),
			nowMs: Date.now,
			later,
			newEngagement: () => `${effects.identity.pid}-${++engagements}`,
			publish: () => status.publish(),
			wake,
			requestEnded: guarded(() => this.#reflex.requestEnded(), report),
			report,
		});
		for (const box of boxes) box.prepare();
		this.#look = guarded(() => this.#mailbox.look(), report);
		this.pressLook = guarded(bound(new Burst(this.#look, later)), report);
		this.pressPause = guarded(bound(new Once(() => this.#mailbox.pauseByPerson(), Date.now)), report);
		this.pressResume = guarded(() => void this.#mailbox.resumeByPerson(), report);
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

	/** Before a step that the gate can still stop. */
	boundary(event: string): void {
		this.#reflex.boundary(event);
	}

	conversationChanged(): void {
		this.#line.showAgain();
		this.#gentle.showAgain();
		this.#presence.status.publish();
	}

	callsChanged(): void {
		if (this.#mailbox.state.state === "paused" || this.#reflex.braked) this.#presence.status.publishSoon();
	}

	stop(): void {
		guarded(() => this.#reflex.stop(), this.effects.report)();
		for (const close of this.#closers) close();
		for (const watch of this.#watches) watch.close();
		this.#reports.end();
		this.#presence.leave();
	}

	#ownGate(): Gate {
		const { report } = this.effects;
		const gate = new Gate(this.omp.gate, {
			outside: guarded(paused => this.#mailbox.gateChangedOutside(paused), report),
			takenFromReflex: guarded(() => this.#reflex.taken(), report),
			takenFromLine: guarded(() => this.#mailbox.lineTaken(), report),
		});
		this.#closers.push(() => gate.dispose());
		return gate;
	}

	#ownReflex(): Reflex {
		const { files, config, seats, identity, report } = this.effects;
		const { later, status, wake, dial } = this.#presence;
		const asker = new Asker(dial, seats, identity.pid);
		return new Reflex({
			attended: this.#attended,
			gate: this.#gate,
			line: this.#line,
			lease: () => readLease(files, path.join(config.state, "reflex.json"), Date.now()),
			awayCounts: () => readAwayCounts(files, path.join(config.state, "reflex.json"), Date.now()),
			ask: (question, event, answered) => asker.ask(question, event, answered),
			terminalIsOurs,
			requested: () => this.#mailbox.requested,
			nowMs: Date.now,
			later,
			publish: () => status.publish(),
			wake,
			report,
		});
	}

	#gentlePause(): GentlePause {
		const { effects, screen } = this;
		const resumeKey = effects.config.keys.resume;
		return new GentlePause({ screen, gate: this.#gate, widgets: effects.widgets, resumeKey, terminalIsOurs, nowMs: Date.now });
	}

	#overlay(): Overlay {
		const { effects, screen, omp } = this;
		this.#focus.remember();
		return new Overlay({
			screen,
			gate: this.#gate,
			focus: this.#focus,
			pause: host => omp.pause(host),
			terminalIsOurs,
			conversationName: () => effects.conversationName(),
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
				this.#reflex.focusIn();
				break;
			case "focus-out":
				this.#reflex.focusOut();
				break;
			case "look":
				this.pressLook();
				break;
			case "pause":
				this.pressPause();
				break;
			case "resume":
				if (this.#mailbox.resumeByPerson()) break;
				this.#reflex.key();
				return undefined;
			case "key":
				this.#reflex.key();
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
		this.#reflex.poll();
		this.#presence.status.retry();
		this.#mailbox.look();
	}

	#terminalIsBack(): void {
		this.#reports.ask();
		this.#mailbox.retryNow();
	}
}

/** What the status file says: the mailbox knows of pauses, the reflex of what comes before them. */
export function published(mailbox: Mailbox, reflex: Reflex, attended: Attended): object {
	const state = mailbox.state;
	const running = state.state === "running";
	const braked = running && reflex.braked;
	return {
		...state,
		...(braked ? { state: "braked", shown: "line" } : {}),
		problem: state.problem ?? (running ? reflex.problem : null),
		attended: attended.count,
		reflex: reflex.state,
	};
}

/** While an external editor or a shell has the terminal, OMP has taken it out of raw mode. */
function terminalIsOurs(): boolean {
	return process.stdin.isRaw !== false;
}

function bound(key: { press(): void }): () => void {
	return () => key.press();
}
