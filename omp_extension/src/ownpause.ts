/** The person's own pause, by the key or by OMP's pause command. It has no runs, and no request ends it or takes it over. */
import type { BackOff } from "./backoff.ts";
import { NOT_PAINTED, type PaintWatch } from "./paint.ts";
import type { MailboxEffects, Pause } from "./pause.ts";
import type { Paused } from "./phase.ts";
import type { Resuming } from "./resume.ts";

export class OwnPause {
	constructor(
		private readonly pause: Pause,
		private readonly paint: PaintWatch,
		private readonly resuming: Resuming,
		private readonly backOff: BackOff,
		private readonly effects: MailboxEffects,
	) {}

	byKey(): void {
		if (this.pause.phase.at !== "running" || !this.pause.ready) return;
		const failure = this.effects.screens.overlay.open("person");
		if (!failure) return this.begun();
		this.backOff.failed(failure);
		this.effects.requestEnded();
	}

	/**
	 * Somebody else has engaged the gate, who counts as the person. That is told at once, for it is so; what shows it, when it
	 * has been seen.
	 */
	begun(): void {
		const paused: Paused = { at: "paused", by: "person", shown: null, runs: [] };
		this.pause.phase = paused;
		this.pause.shown = "overlay";
		this.pause.engagement = this.effects.newEngagement();
		this.pause.announce("paused");
		this.paint.await(paused, {
			painted: () => this.effects.saysPaused(),
			then: () => this.#seen(paused),
			otherwise: () => this.#notSeen(),
		});
	}

	#seen(paused: Paused): void {
		this.pause.phase = { ...paused, shown: "overlay" };
		this.backOff.solved();
		this.effects.publish();
	}

	/** Our own screen is taken back; a gate that others hold is theirs. */
	#notSeen(): void {
		if (!this.pause.screen.up()) return;
		this.pause.screen.close();
		this.backOff.failed(NOT_PAINTED);
		this.resuming.end(false);
		this.effects.requestEnded();
	}
}
