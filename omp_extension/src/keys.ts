/** What the terminal sends: focus reports, the three keys of ours, and everything by which the person shows to be here. */

export type Input = "focus-in" | "focus-out" | "look" | "pause" | "resume" | "repeat" | "key" | "none";

/** OMP's reading of key sequences. */
export interface KeyReader {
	parseKey(data: string): string | undefined;
	isKeyRepeat(data: string): boolean;
	isKeyRelease(data: string): boolean;
}

const FOCUS_IN = "\x1b[I";
const FOCUS_OUT = "\x1b[O";
const PASTE = "\x1b[200~";

/** Ours: "look", pause, and the way out of a pause that a line shows. */
export interface Keys {
	readonly look: string;
	readonly pause: string;
	readonly resume: string;
}

export function classify(data: string, keys: Keys, reader: KeyReader): Input {
	if (data === FOCUS_IN) return "focus-in";
	if (data === FOCUS_OUT) return "focus-out";
	if (reader.isKeyRelease(data)) return "none";
	const key = reader.parseKey(data);
	for (const ours of ["look", "pause", "resume"] as const) {
		if (key === keys[ours]) return reader.isKeyRepeat(data) ? "repeat" : ours;
	}
	// Answers of the terminal and the mouse start with an escape too, but are no key.
	return key !== undefined || !data.startsWith("\x1b") || data.startsWith(PASTE) ? "key" : "none";
}

const BURST_MS = 25;

/** Keys that piled up while the event loop was busy come in one burst: the first one acts, and once more after the last. */
export class Burst {
	#again = false;
	#waiting = false;

	constructor(
		private readonly act: () => void,
		private readonly later: (ms: number, act: () => void) => void,
	) {}

	press(): void {
		if (this.#waiting) {
			this.#again = true;
			return;
		}
		this.#waiting = true;
		this.later(BURST_MS, () => {
			this.#waiting = false;
			if (!this.#again) return;
			this.#again = false;
			this.press();
		});
		this.act();
	}
}

const BOUNCE_MS = 300;

/** A key that must act once, however often it arrives in a row. */
export class Once {
	#untilMs = 0;

	constructor(
		private readonly act: () => void,
		private readonly nowMs: () => number,
	) {}

	press(): void {
		const now = this.nowMs();
		const again = now < this.#untilMs && this.#untilMs <= now + BOUNCE_MS; // further ahead: the clock was set back
		this.#untilMs = now + BOUNCE_MS;
		if (!again) this.act();
	}
}
