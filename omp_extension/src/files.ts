/** File operations with the promises the protocol needs. All synchronous: a check and the act it allows are one tick. */
import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import * as path from "node:path";

/** What the protocol needs of a file system; the tests have one in memory. Names a full path each time. */
export interface Files {
	/** null: not there. */
	read(file: string): string | null;
	/** Appears whole or not at all. */
	write(file: string, text: string): void;
	/** False: `from` is not there. What is at `to` is replaced. */
	rename(from: string, to: string): boolean;
	/** Move without replacing. False: something is at `to`, and `from` is left alone. */
	moveIfFree(from: string, to: string): boolean;
	remove(file: string): void;
	removeTree(folder: string): void;
	makeFolder(folder: string): void;
	/** Names in a folder, those that start with a dot left out; none for a folder that is not there. */
	names(folder: string): string[];
}

/** On Windows a file that a scanner or a reader has open refuses to be replaced for a moment. */
const BUSY = new Set(["EPERM", "EBUSY", "EACCES"]);
const ATTEMPTS = 10;
const PAUSE_MS = 3;

export function codeOf(error: unknown): string | undefined {
	return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

export function retried<T>(act: () => T, busy: (code: string) => boolean, wait: (ms: number) => void): T {
	for (let attempt = 1; ; attempt++) {
		try {
			return act();
		} catch (error) {
			if (attempt >= ATTEMPTS || !busy(codeOf(error) ?? "")) throw error;
			wait(PAUSE_MS);
		}
	}
}

function patiently<T>(act: () => T): T {
	return retried(act, code => process.platform === "win32" && BUSY.has(code), waitSync);
}

function waitSync(ms: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** What `act` gives, or `otherwise` where the file it needs is not there. */
function whereThere<T>(act: () => T, otherwise: T): T {
	try {
		return act();
	} catch (error) {
		if (codeOf(error) === "ENOENT") return otherwise;
		throw error;
	}
}

export const realFiles: Files = {
	read: file => whereThere(() => patiently(() => fs.readFileSync(file, "utf8")), null),
	write(file, text) {
		const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`);
		try {
			fs.writeFileSync(temporary, text, { mode: 0o600 });
			patiently(() => fs.renameSync(temporary, file));
		} catch (error) {
			fs.rmSync(temporary, { force: true });
			throw error;
		}
	},
	rename: (from, to) => whereThere(() => (patiently(() => fs.renameSync(from, to)), true), false),
	moveIfFree(from, to) {
		try {
			fs.linkSync(from, to);
		} catch (error) {
			if (codeOf(error) === "EEXIST") return false;
			if (!fs.existsSync(from) || fs.existsSync(to)) throw error;
			return realFiles.rename(from, to); // a file system without hard links
		}
		patiently(() => fs.unlinkSync(from));
		return true;
	},
	remove: file => patiently(() => fs.rmSync(file, { force: true })),
	removeTree: folder => patiently(() => fs.rmSync(folder, { force: true, recursive: true })),
	makeFolder: folder => void fs.mkdirSync(folder, { recursive: true, mode: 0o700 }),
	names: folder => whereThere(() => fs.readdirSync(folder), []).filter(name => !name.startsWith(".")),
};
