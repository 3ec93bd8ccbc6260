/** `reflex.json`, written by the resident controller: what this process may do on its own, and until when. */
import { parseDocument } from "./documents.ts";
import type { Files } from "./files.ts";

export type Mode = "off" | "brake" | "strict";

export interface Lease {
	readonly mode: "brake" | "strict";
	/** Without an answer a boundary in strict mode stays closed, instead of opening. */
	readonly failClosed: boolean;
	readonly askMs: number;
	readonly untilMs: number;
	/** Which controller has written it; null: one that does not say so. */
	readonly controller: string | null;
}

/** A lease that runs longer than this was written by a clock that was wrong. */
const LONGEST_MS = 60_000;
const ASK_MS = 1_000;
const LONGEST_ASK_MS = 10_000;

/** null: nothing may be done, because the file is absent, broken or past its time, or says so. */
export function readLease(files: Files, file: string, nowMs: number): Lease | null {
	const found = readValid(files, file, nowMs);
	return found && leaseOf(found);
}

/** Also where `mode` is `off`: the agent then brakes at nothing, and its controller wants to know all the same. */
export function readAwayCounts(files: Files, file: string, nowMs: number): boolean {
	return readValid(files, file, nowMs)?.["away"] === "pause";
}

function readValid(files: Files, file: string, nowMs: number): Record<string, unknown> | null {
	try {
		const text = files.read(file);
		if (text === null) return null;
		const found = parseDocument(text);
		const { until_ms } = found;
		return typeof until_ms === "number" && until_ms > nowMs && until_ms <= nowMs + LONGEST_MS ? found : null;
	} catch {
		return null; // its writer mends it within seconds
	}
}

function leaseOf({ mode, fail, ask_ms, until_ms, controller }: Record<string, unknown>): Lease | null {
	if (mode !== "brake" && mode !== "strict") return null;
	const askMs = typeof ask_ms === "number" && ask_ms > 0 ? Math.min(ask_ms, LONGEST_ASK_MS) : ASK_MS;
	const by = typeof controller === "string" ? controller : null;
	return { mode, failClosed: fail === "closed", askMs, untilMs: until_ms as number, controller: by };
}
