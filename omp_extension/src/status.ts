/** The status file: what this process says of itself, one copy in each session it takes part in. */
import { VERSION } from "./documents.ts";
import type { Files } from "./files.ts";

/** Changes that nobody waits for are written at most this often. */
const SOON_MS = 250;

export interface StatusEffects {
	readonly files: Files;
	/** One file for each seat, with the pane's id as it is known there. */
	readonly copies: readonly { readonly file: string; readonly pane: string }[];
	content(): object;
	nowMs(): number;
	later(ms: number, act: () => void): void;
	report(error: unknown): void;
}

export class Status {
	/** Something has changed that is not on the disk. */
	#owed = false;
	#waiting = false;
	#closed = false;

	constructor(private readonly effects: StatusEffects) {}

	publish(): void {
		if (this.#closed) return;
		this.#owed = false;
		const document = { ...this.effects.content(), written_ms: this.effects.nowMs() };
		for (const { file, pane } of this.effects.copies) this.#write(file, { v: VERSION, pane, ...document });
	}

	/** At once after a quiet time, else with the others of this moment at its end. */
	publishSoon(): void {
		this.#owed = true;
		if (this.#waiting) return;
		this.publish();
		this.#waiting = true;
		this.effects.later(SOON_MS, () => {
			this.#waiting = false;
			if (this.#owed) this.publishSoon();
		});
	}

	/** What could not be written is tried again. */
	retry(): void {
		if (this.#owed) this.publish();
	}

	remove(): void {
		this.#closed = true;
		for (const { file } of this.effects.copies) this.effects.files.remove(file);
	}

	#write(file: string, document: object): void {
		try {
			this.effects.files.write(file, `${JSON.stringify(document)}\n`);
		} catch (error) {
			this.#owed = true;
			this.effects.report(error);
		}
	}
}
