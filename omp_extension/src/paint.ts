/** Waiting until a pause screen is on the terminal: nothing is said to be paused before that has been seen. */
import type { MailboxEffects, Pause } from "./pause.ts";
import type { Paused, Showing } from "./phase.ts";
import type { OpenFailure } from "./pausescreen.ts";

const POLL_MS = 5;
/** Looks, not time, are counted: a blocked event loop delays the paint as much as the look. */
const POLLS = 200;

export const NOT_PAINTED: OpenFailure = { code: "not-painted", text: "the pause screen did not appear on the terminal" };

export interface Watched {
	/** Whether the screen is on the terminal now. */
	painted(): boolean;
	then(): void;
	/** It was not there at any of the looks. */
	otherwise(): void;
}

export class PaintWatch {
	constructor(
		private readonly pause: Pause,
		private readonly effects: MailboxEffects,
	) {}

	/** One of `then` and `otherwise` is called, or neither where the phase has ended before: then somebody else has dealt with it. */
	await(phase: Showing | Paused, watched: Watched, polls = POLLS): void {
		this.effects.later(POLL_MS, () => {
			if (this.pause.phase !== phase) return;
			if (watched.painted()) watched.then();
			else if (polls > 1) this.await(phase, watched, polls - 1);
			else watched.otherwise();
		});
	}
}
