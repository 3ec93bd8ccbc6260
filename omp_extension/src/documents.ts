/** The JSON documents of docs/reference/state-files.md: their shapes, and parsing that trusts nothing. */

export const VERSION = 1;
/** The run that stands for a lost focus. */
export const FOCUS = "focus";

export interface Place {
	readonly session: string;
	readonly pane: string;
}

/** How a pause shows on the screen: OMP's own pause screen, or one line above the prompt editor. */
export type Shown = "overlay" | "line";

/** What each run that wants the pane paused says of itself. */
export interface Wanted {
	/** The agent's count that the controller had read, where the request names the focus run. */
	readonly focus: number | null;
	/** The runs beside it. */
	readonly holds: readonly string[];
}

export interface Request extends Wanted {
	readonly show: Shown;
}

export interface ResumeRequest {
	readonly engagement: string;
}

export interface Hold {
	readonly run: string;
	readonly scope: "all" | readonly Place[];
	readonly except: readonly Place[];
	readonly deadlineMs: number | null;
}

export interface Problem {
	readonly code: "not-painted" | "not-live" | "error" | "unanswered" | "no-request" | "lease-over";
	readonly text: string;
	readonly since_ms: number;
}

export interface Call {
	readonly name: string;
	readonly since_ms: number;
}

type Json = Record<string, unknown>;

/** The text of a file is no document of this version, or has not the shape that its name says. */
export class Broken extends Error {}

export function parseDocument(text: string): Json {
	let found: unknown;
	try {
		found = JSON.parse(text);
	} catch (error) {
		throw new Broken(`not JSON: ${String(error)}`);
	}
	if (!isObject(found)) throw new Broken("no JSON object");
	if (found["v"] !== VERSION) throw new Broken(`version ${JSON.stringify(found["v"])} where ${VERSION} is known`);
	return found;
}

export function parseRequest(text: string): Request {
	const { runs, show } = parseDocument(text);
	if (!isObject(runs)) throw new Broken("no runs");
	const focus = runs[FOCUS];
	if (focus !== undefined && !(isObject(focus) && typeof focus["attended"] === "number")) throw new Broken("a focus run without attended");
	return {
		focus: focus === undefined ? null : ((focus as Json)["attended"] as number),
		holds: Object.keys(runs).filter(run => run !== FOCUS),
		show: show === "line" ? "line" : "overlay", // a word of a later version must not keep the agent from being paused
	};
}

export function parseResume(text: string): ResumeRequest {
	return { engagement: stringOf(parseDocument(text), "engagement") };
}

export function parseHold(text: string): Hold {
	const document = parseDocument(text);
	const deadline = document["deadline_ms"] ?? null;
	if (deadline !== null && typeof deadline !== "number") throw new Broken("deadline_ms is no number");
	return {
		run: stringOf(document, "run"),
		scope: document["scope"] === "all" ? "all" : placesOf(document["scope"]),
		except: placesOf(document["except"] ?? []),
		deadlineMs: deadline,
	};
}

function placesOf(found: unknown): Place[] {
	if (!Array.isArray(found)) throw new Broken("no list of panes");
	return found.map(entry => {
		if (!isObject(entry)) throw new Broken("no pane");
		return { session: stringOf(entry, "session"), pane: stringOf(entry, "pane") };
	});
}

function stringOf(document: Json, field: string): string {
	const found = document[field];
	if (typeof found !== "string") throw new Broken(`${field} is no text`);
	return found;
}

export function isObject(found: unknown): found is Json {
	return typeof found === "object" && found !== null && !Array.isArray(found);
}
