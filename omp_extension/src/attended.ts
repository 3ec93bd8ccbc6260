/** How often the person has shown to be here. A request for a lost focus names the count; it stands only while it is the same. */

export class Attended {
	#count = 0;
	#reports = false;
	#away = false;

	/** `onProof` hears of every new count. */
	constructor(private readonly onProof: () => void) {}

	get count(): number {
		return this.#count;
	}

	/** Whether a focus report has been seen. */
	get reports(): boolean {
		return this.#reports;
	}

	/** Whether the last report was that of a lost focus, and nothing has shown since that the person is here. */
	get away(): boolean {
		return this.#away;
	}

	focusIn(): void {
		this.#reports = true;
		this.#prove();
	}

	focusOut(): void {
		this.#reports = true;
		this.#away = true;
	}

	/**
	 * Where the host reports the focus a key says nothing new, unless the report of the return was lost, or the agent was held
	 * although the person is here.
	 */
	key(held = false): void {
		if (held || !this.#reports || this.#away) this.#prove();
	}

	/** The key that led to it was a proof already; a report that has been read since is newer, and stands. */
	resumed(): void {
		this.#count++;
		this.onProof();
	}

	#prove(): void {
		this.#away = false;
		this.#count++;
		this.onProof();
	}
}
