/** How a pause ends: by the person, by a request that names it, or because its screen or its gate is lost. */
import type { BackOff } from "./backoff.ts";
import type { Box } from "./box.ts";
import type { MailboxEffects, Pause } from "./pause.ts";
import { type Paused, type Phase, RUNNING, runsOf } from "./phase.ts";
import { mayResume, waivedAfterResume } from "./rules.ts";

export class Resuming {
	constructor(
		private readonly pause: Pause,
		private readonly backOff: BackOff,
		private readonly effects: MailboxEffects,
		/** Looks into the mailbox again. */
		private readonly look: () => void,
	) {}

	/** Serves the mailboxes of a paused agent: a request to resume is carried out if it may be, one to pause is dropped. */
	byRequest(paused: Paused): void {
		for (const box of this.effects.boxes) {
			box.discard(); // what asks for a pause: there is one, and a person's own is taken over by nobody
			if (!this.#mayResume(box, paused)) continue;
			this.pause.screen.close();
			this.end(false);
			return this.effects.requestEnded(); // the person may have left since it was asked for
		}
	}

	/** The key for a pause that a line shows. False: there is none. */
	byKey(): boolean {
		if (this.pause.phase.at === "running" || this.pause.shown !== "line") return false;
		if (this.effects.attended.away) this.effects.attended.key(); // whoever presses it is here, whatever was reported before
		this.pause.screen.close();
		this.end(true);
		return true;
	}

	/** Somebody else has released the gate: the person by the pause screen, which is down then, or a program, which leaves it up. */
	gateReleased(): void {
		const byPerson = !this.pause.screen.up();
		if (byPerson) this.pause.screen.closedByPerson();
		else this.pause.screen.close();
		this.end(byPerson);
	}

	/**
	 * A pause command is about to engage the gate anew, in this very tick: nothing is said of an end, for the pause goes on as
	 * the person's.
	 */
	takenOver(): void {
		const ended = this.pause.phase;
		this.pause.phase = RUNNING;
		this.pause.screen.closedByPerson();
		this.#clear(ended);
	}

	/** The pause command ended with its screen up, so the overlay has let go of the gate. Nobody has resumed: nothing is waived. */
	screenLost(): void {
		if (this.pause.phase.at === "running") return;
		this.backOff.failed({ code: "error", text: "the pause screen ended by itself" });
		this.end(false);
		this.effects.requestEnded();
	}

	/** To be called when gate and screen are let go. A resume by the person overrules every hold that is in force: none asks again. */
	end(byPerson: boolean): void {
		const ended = this.pause.phase;
		const view = this.pause.view();
		this.pause.phase = RUNNING;
		if (byPerson) {
			this.pause.waived = new Set(waivedAfterResume(view, runsOf(ended)));
			this.effects.attended.resumed();
		}
		try {
			this.#clear(ended);
			this.pause.announce("running");
			this.effects.later(0, this.look);
		} finally {
			// OMP opens its gate some time after the person's key, who may have left since.
			if (byPerson && this.effects.attended.away) this.effects.requestEnded();
		}
	}

	#mayResume(box: Box, { by, runs }: Paused): boolean {
		const resume = box.takeResume();
		return resume !== null && mayResume(resume.engagement, { id: this.pause.engagement, by, runs }, this.pause.view());
	}

	/** Nothing in the mailboxes speaks of this pause any more. */
	#clear(ended: Phase): void {
		for (const box of this.effects.boxes) box.removeAcknowledgement();
		if (ended.at === "showing") ended.box.finish(ended.claim);
	}
}
