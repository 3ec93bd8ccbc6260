/**
 * What happens when the pause screen could not be opened, painted or acknowledged: the request goes back into its mailbox for a
 * later attempt.
 */
import type { BackOff } from "./backoff.ts";
import type { Box, Claim } from "./box.ts";
import type { MailboxEffects, Pause } from "./pause.ts";
import type { OpenFailure } from "./pausescreen.ts";
import { RUNNING, type Showing } from "./phase.ts";

export class GivingBack {
	constructor(
		private readonly pause: Pause,
		private readonly backOff: BackOff,
		private readonly effects: MailboxEffects,
	) {}

	/** The screen was opened, and goes first: nobody is held while the files are put right. */
	retract({ box, claim }: Showing, failure: OpenFailure): void {
		this.pause.screen.close();
		this.pause.phase = RUNNING;
		box.removeAcknowledgement();
		this.giveBack(box, claim, failure);
	}

	/** The screen did not open. Also where the disk takes nothing back, the failure is told, and whoever held the gate before goes on. */
	giveBack(box: Box, claim: Claim, failure: OpenFailure): void {
		try {
			box.giveBack(claim);
		} finally {
			this.backOff.failed(failure);
			this.effects.requestEnded();
		}
	}
}
