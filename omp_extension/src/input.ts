/** What the terminal sends, handed to whom it concerns; the rest goes on to OMP. */
import { Burst, classify, type KeyReader, type Keys, Once } from "./keys.ts";
import { guarded, type Report } from "./log.ts";
import type { Mailbox } from "./mailbox.ts";
import type { Reflex } from "./reflex.ts";

export interface InputEffects {
	readonly keys: Keys;
	readonly reader: KeyReader;
	readonly mailbox: Mailbox;
	readonly reflex: Reflex;
	/** Look into the mailbox. */
	look(): void;
	nowMs(): number;
	later(ms: number, act: () => void): void;
	readonly report: Report;
}

export type Consumed = { readonly consume: true };

export class Input {
	/** What the three keys do, also where OMP hears them as shortcuts. */
	readonly look: () => void;
	readonly pause: () => void;
	readonly resume: () => void;

	constructor(private readonly effects: InputEffects) {
		const { mailbox, look, later, nowMs, report } = effects;
		const [burst, once] = [new Burst(look, later), new Once(() => mailbox.pauseByPerson(), nowMs)];
		this.look = guarded(() => burst.press(), report);
		this.pause = guarded(() => once.press(), report);
		this.resume = guarded(() => void mailbox.resumeByPerson(), report);
	}

	/** undefined: OMP is to read it, too. */
	hear(data: string): Consumed | undefined {
		const { mailbox, reflex } = this.effects;
		switch (classify(data, this.effects.keys, this.effects.reader)) {
			case "focus-in":
				reflex.focusIn();
				break;
			case "focus-out":
				reflex.focusOut();
				break;
			case "look":
				this.look();
				break;
			case "pause":
				this.pause();
				break;
			case "resume":
				if (mailbox.resumeByPerson()) break;
				reflex.key(); // there is nothing to resume: it is a key like any other
				return undefined;
			case "key":
				reflex.key();
				return undefined;
			case "none":
				return undefined;
		}
		return { consume: true }; // also a repeated key of ours, which does nothing more
	}
}
