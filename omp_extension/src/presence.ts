/** What every process does that sits in a pane, whether it can be paused or not: say who it is, and take its files along when it goes. */
import * as path from "node:path";
import type { Calls } from "./calls.ts";
import type { Config } from "./config.ts";
import { type Dial, dialer } from "./controller.ts";
import type { Problem } from "./documents.ts";
import type { Files } from "./files.ts";
import type { Widgets } from "./line.ts";
import { guarded, type Report } from "./log.ts";
import type { ProcessIdentity, Seat } from "./session.ts";
import { Status } from "./status.ts";
import { EXTENSION, PROTOCOL } from "./version.ts";
import { startRunner, Waker, wakeResident } from "./wake.ts";

/** What an agent is made from: who it is, and what it needs of OMP's conversation. */
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

export class Presence {
	readonly status: Status;
	/** After so many milliseconds, with errors reported; keeps no process alive. */
	readonly later: (ms: number, act: () => void) => void;
	/** Wake the controller of every session. */
	readonly wake: (trigger: string) => void;
	/** Speak to the resident controller. */
	readonly dial: Dial;
	readonly versions: object;

	/** `state`: what the status file says beside who this is. */
	constructor(
		readonly effects: AgentEffects,
		private readonly state: () => object,
	) {
		const { config, files, seats, ompVersion, report } = effects;
		this.later = (ms, act) => void setTimeout(guarded(act, report), ms).unref();
		this.dial = dialer(files, path.join(config.state, "serve.addr"), this.later, report);
		const start = wakeResident(this.dial, startRunner(config.runner, config.state, report), report);
		const wakers = seats.map(seat => new Waker(seat, start, Date.now, report));
		this.wake = trigger => wakers.forEach(waker => waker.wake(`${config.agent}:${trigger}`));
		this.versions = { agent: ompVersion, extension: EXTENSION, protocol: PROTOCOL };
		this.status = new Status({
			files,
			copies: seats.map(seat => ({ file: seat.statusFile, pane: seat.pane })),
			content: () => this.#content(),
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

	/** Files that stay look like a live agent until the process is seen to be gone. */
	leave(): void {
		this.status.remove();
		for (const seat of this.effects.seats) this.effects.files.removeTree(seat.mailbox);
	}

	#content(): object {
		const { config, identity, calls } = this.effects;
		return {
			agent: config.agent,
			...identity,
			session_file: this.effects.conversationFile(),
			versions: this.versions,
			calls: calls.list,
			...this.state(),
		};
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
