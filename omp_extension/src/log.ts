/** Errors of the extension: nothing thrown here may reach OMP, where it would end the process. */
import * as fs from "node:fs";

const LONGEST_BYTES = 256 * 1024;

export type Report = (error: unknown) => void;

/** Append to a file that is renamed to `.1` when it has grown too long. */
export function logTo(file: string): Report {
	return error => {
		try {
			if (sizeOf(file) > LONGEST_BYTES) fs.renameSync(file, `${file}.1`);
			const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
			fs.appendFileSync(file, `${new Date().toISOString()} ${process.pid} ${text}\n`, { mode: 0o600 });
		} catch {
			// There is nowhere left to say it.
		}
	};
}

function sizeOf(file: string): number {
	try {
		return fs.statSync(file).size;
	} catch {
		return 0;
	}
}

/** `act` with its errors reported instead of thrown; undefined then. */
export function guarded<A extends unknown[], R>(act: (...given: A) => R, report: Report): (...given: A) => R | undefined {
	return (...given) => {
		try {
			const result = act(...given);
			if (result instanceof Promise) result.catch(report);
			return result;
		} catch (error) {
			report(error);
			return undefined;
		}
	};
}
