/**
 * When a request is acknowledged: its pause screen has been seen on the terminal. In the same tick it is checked whether it
 * still stands.
 */
import type { BackOff } from "./backoff.ts";
import type { Acknowledgement, Claim } from "./box.ts";
import type { GivingBack } from "./giveback.ts";
import type { MailboxEffects, Pause } from "./pause.ts";
import { RUNNING, type Showing } from "./phase.ts";
import { keptRuns, standing } from "./rules.ts";

export class Acknowledging {
	constructor(
		private readonly pause: Pause,
		private readonly givingBack: GivingBack,
		private readonly backOff: BackOff,
		private readonly effects: MailboxEffects,
	) {}

	/** The acknowledgement first, then the check: it sees all that was changed before the controller could know of the pause. */
	acknowledge(showing: Showing): void {
		try {
			this.pause.engagement = this.effects.newEngagement();
			showing.box.acknowledge(this.#acknowledgement(showing, this.pause.engagement), this.effects.versions);
			this.#recheck(showing);
		} catch (error) {
			this.effects.report(error);
			this.givingBack.retract(showing, { code: "error", text: String(error) });
		}
	}

	#acknowledgement(showing: Showing, engagement: string): Acknowledgement {
		return {
			runs: standing(showing.claim.request, this.pause.view()),
			engagement,
			claimed_ms: showing.claimedMs,
			engaged_ms: showing.engagedMs,
			shown_ms: this.effects.nowMs(),
			shown: this.pause.shown,
		};
	}

	/** The claim goes after the status file: until that says paused, it tells the controller that the request is being worked on. */
	#recheck(showing: Showing): void {
		const claim = this.#newest(showing);
		const runs = keptRuns(claim.request, this.pause.view());
		if (runs.length === 0) return this.#takeBack({ ...showing, claim });
		this.pause.phase = { at: "paused", by: "request", shown: this.pause.shown, runs };
		this.backOff.solved();
		this.effects.publish();
		showing.box.finish(claim);
		this.effects.wake("paused");
	}

	/** A newer request replaces the one that was worked on; an empty one withdraws it. */
	#newest(showing: Showing): Claim {
		const newer = showing.box.claim();
		if (newer) showing.box.finish(showing.claim);
		return newer ?? showing.claim;
	}

	/** What the request was for has ended while its screen came up. */
	#takeBack({ box, claim }: Showing): void {
		this.pause.screen.close();
		this.pause.phase = RUNNING;
		this.backOff.solved();
		box.removeAcknowledgement();
		box.finish(claim);
		this.pause.announce("taken-back");
		this.effects.requestEnded();
	}
}
