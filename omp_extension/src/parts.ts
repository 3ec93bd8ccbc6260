/**
 * The parts of one agent, wired together. Gate, mailbox and reflex each tell the others what has happened, so each finds the
 * others here.
 */
import * as path from "node:path";
import { Asker } from "./ask.ts";
import { Attended } from "./attended.ts";
import { Box } from "./box.ts";
import { FocusRepair } from "./focus.ts";
import { Gate } from "./gate.ts";
import { GentlePause } from "./gentle.ts";
import { readHolds } from "./holds.ts";
import { readAwayCounts, readLease } from "./lease.ts";
import { BrakeLine } from "./line.ts";
import { guarded } from "./log.ts";
import { Mailbox } from "./mailbox.ts";
import type { Omp } from "./omp.ts";
import { Overlay } from "./overlay.ts";
import { type AgentEffects, Presence } from "./presence.ts";
import { published } from "./published.ts";
import { Reflex } from "./reflex.ts";
import { saysPaused, type Screen } from "./screen.ts";

export class Parts {
	readonly attended: Attended;
	readonly presence: Presence;
	readonly focus: FocusRepair;
	readonly line: BrakeLine;
	readonly gate: Gate;
	readonly reflex: Reflex;
	readonly gentle: GentlePause;
	readonly mailbox: Mailbox;

	constructor(
		private readonly effects: AgentEffects,
		private readonly omp: Omp,
		private readonly screen: Screen,
	) {
		this.attended = new Attended(() => this.presence.status.publishSoon());
		this.presence = new Presence(effects, () => published(this.mailbox, this.reflex, this.attended));
		this.focus = new FocusRepair(screen);
		this.line = new BrakeLine(effects.widgets);
		this.gate = this.#ownGate();
		this.reflex = this.#ownReflex();
		this.gentle = this.#ownGentle();
		this.mailbox = this.#ownMailbox();
	}

	#ownGate(): Gate {
		const { report } = this.effects;
		return new Gate(this.omp.gate, {
			outside: guarded(paused => this.mailbox.gateChangedOutside(paused), report),
			takenFromReflex: guarded(() => this.reflex.taken(), report),
			takenFromLine: guarded(() => this.mailbox.lineTaken(), report),
		});
	}

	#ownReflex(): Reflex {
		const { files, config, seats, identity, report } = this.effects;
		const { later, status, wake, dial } = this.presence;
		const lease = path.join(config.state, "reflex.json");
		const asker = new Asker(dial, seats, identity.pid);
		return new Reflex({
			attended: this.attended,
			gate: this.gate,
			line: this.line,
			lease: () => readLease(files, lease, Date.now()),
			awayCounts: () => readAwayCounts(files, lease, Date.now()),
			ask: (question, event, answered) => asker.ask(question, event, answered),
			terminalIsOurs,
			requested: () => this.mailbox.requested,
			nowMs: Date.now,
			later,
			publish: () => status.publish(),
			wake,
			report,
		});
	}

	#ownGentle(): GentlePause {
		const { config, widgets } = this.effects;
		return new GentlePause({ screen: this.screen, gate: this.gate, widgets, resumeKey: config.keys.resume, terminalIsOurs, nowMs: Date.now });
	}

	#ownOverlay(): Overlay {
		const { effects, screen, omp } = this;
		this.focus.remember();
		return new Overlay({
			screen,
			gate: this.gate,
			focus: this.focus,
			pause: host => omp.pause(host),
			terminalIsOurs,
			conversationName: () => effects.conversationName(),
			showStatus: guarded(message => effects.notify(message), effects.report),
			later: (ms, act) => this.presence.later(ms, act),
			onReady: guarded(() => this.mailbox.look(), effects.report),
			onLost: guarded(() => this.mailbox.screenLost(), effects.report),
			onError: effects.report,
		});
	}

	#ownMailbox(): Mailbox {
		const { files, seats, config, identity, report } = this.effects;
		const { later, status, wake, versions } = this.presence;
		const boxes = seats.map(seat => new Box(seat.mailbox, files, report));
		let engagements = 0;
		const mailbox = new Mailbox({
			boxes,
			places: seats,
			attended: this.attended,
			screens: { overlay: this.#ownOverlay(), line: this.gentle },
			versions,
			holds: () => readHolds(files, path.join(config.state, "holds")),
			saysPaused: () => saysPaused(this.screen),
			nowMs: Date.now,
			later,
			newEngagement: () => `${identity.pid}-${++engagements}`,
			publish: () => status.publish(),
			wake,
			requestEnded: guarded(() => this.reflex.requestEnded(), report),
			report,
		});
		for (const box of boxes) box.prepare();
		return mailbox;
	}
}

/** While an external editor or a shell has the terminal, OMP has taken it out of raw mode. */
export function terminalIsOurs(): boolean {
	return process.stdin.isRaw !== false;
}
