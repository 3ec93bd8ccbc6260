/** What has kept a pause from being shown: it is said until something works, and nothing is tried for a while. */
import type { Problem } from "./documents.ts";
import type { OpenFailure } from "./pausescreen.ts";

export const RETRY_MS = 2_000;

export interface BackOffEffects {
	nowMs(): number;
	publish(): void;
}

export class BackOff {
	#problem: Problem | null = null;
	#untilMs = 0;

	constructor(private readonly effects: BackOffEffects) {}

	/** Of the last attempt; null: it worked, or there is nothing left that could fail. */
	get problem(): Problem | null {
		return this.#problem;
	}

	/** Whether it is too early to try again. A time further ahead than any back-off is from before the clock was set back. */
	get active(): boolean {
		const leftMs = this.#untilMs - this.effects.nowMs();
		return leftMs > 0 && leftMs <= RETRY_MS;
	}

	/** Without a rest a request that went back to the mailbox would be claimed again at once. A failure that goes on is told once. */
	failed(failure: OpenFailure): void {
		this.#untilMs = this.effects.nowMs() + RETRY_MS;
		const same = this.#problem?.code === failure.code && this.#problem.text === failure.text;
		if (same) return;
		this.#problem = { ...failure, since_ms: this.effects.nowMs() };
		this.effects.publish();
	}

	/** What made the last attempt fail may be over: the next one need not wait. */
	end(): void {
		this.#untilMs = 0;
	}

	/** Something has worked; who calls this publishes. */
	solved(): void {
		this.#problem = null;
	}

	/** Nothing is asked any more that could fail. */
	clear(): void {
		if (!this.#problem) return;
		this.solved();
		this.effects.publish();
	}
}
