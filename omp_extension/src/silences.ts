/** Questions in a row that the controller has not answered, and what follows: after some of them the reflex is off. */
import type { Lease } from "./lease.ts";

export const SILENCES = 3;
/** A lease renewed so long after the last one shows a controller that is at work again. */
export const REST_MS = 5_000;

export class Silences {
	#count = 0;
	#off: { readonly lease: Lease; readonly atMs: number } | null = null;

	get count(): number {
		return this.#count;
	}

	/** An answer, however late, says that the controller is there. */
	answered(): void {
		this.#count = 0;
		this.#off = null;
	}

	/** No answer. The count stays after a rest, so that the next silence switches off again. */
	unanswered(): void {
		this.#count++;
	}

	/** Off where there were too many. */
	switchOff(lease: Lease | null, nowMs: number): void {
		if (lease && this.#count >= SILENCES) this.#off = { lease, atMs: nowMs };
	}

	allows(lease: Lease, nowMs: number): boolean {
		if (this.#off === null || nowMs < this.#off.atMs) return true; // the clock was set back: how long ago it was, nobody knows
		if (lease.controller !== this.#off.lease.controller) return true; // this one has not been asked yet
		return lease.untilMs > this.#off.lease.untilMs && nowMs >= this.#off.atMs + REST_MS;
	}
}
