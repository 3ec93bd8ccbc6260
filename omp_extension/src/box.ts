/** One mailbox folder: the files of docs/reference/state-files.md, "Mailbox", seen from the agent's side. */
import { randomUUID } from "node:crypto";
import * as path from "node:path";
import { Broken, parseRequest, parseResume, type Request, type ResumeRequest, type Shown, VERSION } from "./documents.ts";
import type { Files } from "./files.ts";

/** A request taken out of the mailbox; its file says so to the controller until it is done with. */
export interface Claim {
	readonly file: string;
	readonly request: Request;
}

export interface Acknowledgement {
	readonly runs: readonly string[];
	readonly engagement: string;
	readonly claimed_ms: number;
	readonly engaged_ms: number;
	readonly shown_ms: number;
	readonly shown: Shown;
}

export class Box {
	readonly #pending: string;
	readonly #ack: string;
	readonly #resume: string;
	/** A claim that could be neither carried out nor given back. */
	#stranded: Claim | null = null;

	constructor(
		readonly folder: string,
		private readonly files: Files,
		private readonly report: (text: string) => void,
		private readonly uuid: () => string = randomUUID,
	) {
		this.#pending = path.join(folder, "pending.json");
		this.#ack = path.join(folder, "ack.json");
		this.#resume = path.join(folder, "resume.json");
	}

	/** An empty folder, whatever an earlier process of this name left in it. */
	prepare(): void {
		this.files.removeTree(this.folder);
		this.files.makeFolder(this.folder);
	}

	/** Take the request out, if there is one. A broken one is set aside and reported. */
	claim(): Claim | null {
		const file = `${this.#pending}.${this.uuid()}.claim`;
		if (!this.files.rename(this.#pending, file)) return this.#takeStranded();
		const request = this.#parse(file, parseRequest);
		if (request === null) return null;
		const older = this.#takeStranded();
		if (older) this.files.remove(older.file);
		return { file, request };
	}

	/** Whether a request is there to be claimed. */
	waiting(): boolean {
		return this.#stranded !== null || this.files.read(this.#pending) !== null;
	}

	/** Put the request back for a later attempt, unless a newer one is there. */
	giveBack(claim: Claim): void {
		try {
			if (!this.files.moveIfFree(claim.file, this.#pending)) this.files.remove(claim.file);
		} catch (error) {
			this.#stranded = claim;
			throw error;
		}
	}

	finish(claim: Claim): void {
		this.files.remove(claim.file);
	}

	/** Take out and forget what was asked. */
	discard(): void {
		const claim = this.claim();
		if (claim) this.finish(claim);
	}

	acknowledge(acknowledgement: Acknowledgement, versions: object): void {
		this.files.write(this.#ack, `${JSON.stringify({ v: VERSION, ...acknowledgement, versions })}\n`);
	}

	removeAcknowledgement(): void {
		this.files.remove(this.#ack);
	}

	takeResume(): ResumeRequest | null {
		const request = this.#parse(this.#resume, parseResume);
		if (request) this.files.remove(this.#resume);
		return request;
	}

	#takeStranded(): Claim | null {
		const claim = this.#stranded;
		this.#stranded = null;
		return claim;
	}

	#parse<T>(file: string, parse: (text: string) => T): T | null {
		const text = this.files.read(file);
		if (text === null) return null;
		try {
			return parse(text);
		} catch (error) {
			if (!(error instanceof Broken)) throw error;
			this.#setAside(file, error.message);
			return null;
		}
	}

	#setAside(file: string, why: string): void {
		const name = path.basename(file).startsWith("resume") ? "resume.json" : "pending.json";
		this.files.rename(file, path.join(this.folder, `${name}.broken`));
		this.report(`${name} in ${this.folder} was set aside: ${why}`);
	}
}
