/** One OMP process that takes part, from its start to its end: what its parts hear, and what is done regularly. */
import { Input } from "./input.ts";
import { guarded } from "./log.ts";
import type { Omp } from "./omp.ts";
import { Parts, terminalIsOurs } from "./parts.ts";
import type { AgentEffects } from "./presence.ts";
import { FocusReports } from "./reports.ts";
import type { Screen } from "./screen.ts";
import { FolderWatch } from "./watch.ts";

/** The files tell at once what has changed; this is for a change that was missed, and for what is tried again. */
const POLL_MS = 2_000;

export class Agent {
	readonly #parts: Parts;
	readonly #reports: FocusReports;
	readonly #watches: FolderWatch[];
	readonly #closers: (() => void)[] = [];
	/** What the keys of ours do. */
	readonly keys: Input;
	/** Something happened after which the mailbox is worth a look. */
	readonly look: () => void;

	constructor(
		private readonly effects: AgentEffects,
		omp: Omp,
		private readonly screen: Screen,
	) {
		const { seats, config, report } = effects;
		const parts = new Parts(effects, omp, screen);
		const { mailbox, reflex, gate, presence } = parts;
		this.#parts = parts;
		this.#closers.push(() => gate.dispose());
		this.look = guarded(() => mailbox.look(), report);
		const { later } = presence;
		this.keys = new Input({ keys: config.keys, reader: omp.keys, mailbox, reflex, look: this.look, nowMs: Date.now, later, report });
		this.#reports = new FocusReports(screen, terminalIsOurs);
		this.#watches = seats.map(seat => new FolderWatch(seat.mailbox, this.look, report));
	}

	start(): void {
		const { report } = this.effects;
		for (const watch of this.#watches) watch.arm();
		this.#closers.push(this.screen.addInputListener(guarded((data: string) => this.keys.hear(data), report)));
		const back = this.screen.addStartListener?.(guarded(() => this.#terminalIsBack(), report));
		if (back) this.#closers.push(back);
		const poll = setInterval(guarded(() => this.#poll(), report), POLL_MS);
		poll.unref();
		this.#closers.push(() => clearInterval(poll));
		this.#closers.push(this.#reports.endBeforeStop(report));
		this.#reports.ask();
		this.#parts.presence.hello();
		this.look();
	}

	/** Before a step that the gate can still stop. */
	boundary(event: string): void {
		this.#parts.reflex.boundary(event);
	}

	/** OMP takes all widgets away then, and the status file names another conversation. */
	conversationChanged(): void {
		const { line, gentle, presence } = this.#parts;
		line.showAgain();
		gentle.showAgain();
		presence.status.publish();
	}

	/** The calls in flight matter to the controller only while the agent is held: they are what still runs. */
	callsChanged(): void {
		const { mailbox, reflex, presence } = this.#parts;
		if (mailbox.state.state === "paused" || reflex.braked) presence.status.publishSoon();
	}

	/** The reflex first: it holds nobody any more, whatever fails after that. */
	stop(): void {
		const { reflex, presence } = this.#parts;
		guarded(() => reflex.stop(), this.effects.report)();
		for (const close of this.#closers) close();
		for (const watch of this.#watches) watch.close();
		this.#reports.end();
		presence.leave();
	}

	#poll(): void {
		const { focus, reflex, presence, mailbox } = this.#parts;
		for (const watch of this.#watches) watch.arm();
		focus.remember();
		this.#reports.poll();
		reflex.poll();
		presence.status.retry();
		mailbox.look();
	}

	/** Another program had it, which may have ended the focus reports, and no pause screen could be shown meanwhile. */
	#terminalIsBack(): void {
		this.#reports.ask();
		this.#parts.mailbox.retryNow();
	}
}
