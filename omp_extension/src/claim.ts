/** How a request is claimed: taken out of the mailbox, checked, and its pause screen opened. What follows is in acknowledge.ts. */
import type { Acknowledging } from "./acknowledge.ts";
import type { BackOff } from "./backoff.ts";
import type { Box, Claim } from "./box.ts";
import type { GivingBack } from "./giveback.ts";
import { NOT_PAINTED, type PaintWatch } from "./paint.ts";
import type { MailboxEffects, Pause } from "./pause.ts";
import type { Showing } from "./phase.ts";
import { overtaken, standing } from "./rules.ts";

export class Claiming {
	constructor(
		private readonly pause: Pause,
		private readonly paint: PaintWatch,
		private readonly acknowledging: Acknowledging,
		private readonly givingBack: GivingBack,
		private readonly backOff: BackOff,
		private readonly effects: MailboxEffects,
	) {}

	/** To be called while the agent is running. Where there are several mailboxes the first request that can be carried out is. */
	take(): void {
		for (const box of this.effects.boxes) box.takeResume(); // there is no pause that it could end
		if (!this.pause.ready || this.backOff.active) return;
		let found = false;
		for (const box of this.effects.boxes) {
			const claim = box.claim();
			if (!claim) continue;
			found = true;
			this.#carryOut(box, claim);
			if (this.pause.phase.at !== "running") return;
		}
		if (!found) this.backOff.clear();
	}

	#carryOut(box: Box, claim: Claim): void {
		const claimedMs = this.effects.nowMs();
		if (standing(claim.request, this.pause.view()).length === 0) return this.#drop(box, claim);
		this.pause.shown = claim.request.show;
		const failure = this.pause.screen.open("overlay");
		if (failure) return this.givingBack.giveBack(box, claim, failure);
		this.#awaitPaint({ at: "showing", box, claim, claimedMs, engagedMs: this.effects.nowMs() });
	}

	#awaitPaint(showing: Showing): void {
		this.pause.phase = showing;
		this.paint.await(showing, {
			painted: () => this.pause.screen.painted(),
			then: () => this.acknowledging.acknowledge(showing),
			otherwise: () => this.givingBack.retract(showing, NOT_PAINTED),
		});
	}

	/** Nothing that it names stands: the person is here, the hold is over, or the request was empty. */
	#drop(box: Box, claim: Claim): void {
		box.finish(claim);
		this.backOff.clear();
		// The controller sends another one only after it has read the count that overtook this one.
		if (overtaken(claim.request, this.effects.attended.count)) this.pause.announce("overtaken");
		this.effects.requestEnded();
	}
}
