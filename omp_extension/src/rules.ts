/** The decisions of the mailbox protocol, as functions of values. What each one is for is said in docs/reference/state-files.md. */
import { FOCUS, type Hold, type Place, type Wanted } from "./documents.ts";

/** Where this process is known: one place for each host it takes part in. */
export type Places = readonly Place[];

export interface View {
	readonly attended: number;
	readonly waived: ReadonlySet<string>;
	/** The holds whose files are there, whatever their deadline or scope. */
	readonly holds: readonly Hold[];
	readonly places: Places;
	readonly nowMs: number;
}

export function inForce(hold: Hold, nowMs: number): boolean {
	return hold.deadlineMs === null || nowMs < hold.deadlineMs;
}

export function covers(hold: Hold, places: Places): boolean {
	return !names(hold.except, places) && (hold.scope === "all" || names(hold.scope, places));
}

/** A pane may have got another id since this process inherited its own: a request that names the hold vouches for the scope. */
export function holdStands(hold: Hold, view: View, vouched: boolean): boolean {
	if (!inForce(hold, view.nowMs) || view.waived.has(hold.run)) return false;
	return vouched ? !names(hold.except, view.places) : covers(hold, view.places);
}

export function focusStands(named: number, attended: number): boolean {
	return named === attended;
}

/** The runs of a request that stand now. */
export function standing(request: Wanted, view: View): string[] {
	const runs = request.focus !== null && focusStands(request.focus, view.attended) ? [FOCUS] : [];
	const named = new Set(request.holds);
	return runs.concat(view.holds.filter(hold => named.has(hold.run) && holdStands(hold, view, true)).map(hold => hold.run));
}

/** The holds that want this process paused now, asked for or not. `vouched`: runs that a request had named for it. */
export function holding(view: View, vouched: readonly string[] = []): string[] {
	return view.holds.filter(hold => holdStands(hold, view, vouched.includes(hold.run))).map(hold => hold.run);
}

/** What a pause is for once it is on the screen; nothing: it is taken back. */
export function keptRuns(request: Wanted, view: View): string[] {
	return [...new Set([...standing(request, view), ...holding(view)])];
}

/** A request whose focus run came too late: the controller has to hear the count that overtook it. */
export function overtaken(request: Wanted, attended: number): boolean {
	return request.focus !== null && !focusStands(request.focus, attended);
}

export interface Engagement {
	readonly id: string | null;
	readonly by: "request" | "person";
	readonly runs: readonly string[];
}

export function mayResume(asked: string, current: Engagement, view: View): boolean {
	return current.by === "request" && asked === current.id && holding(view, current.runs).length === 0;
}

/** The holds that the person overrules by resuming now, beside those overruled before whose files are still there. */
export function waivedAfterResume(view: View, vouched: readonly string[]): string[] {
	return [...waivedNow(view), ...holding(view, vouched)];
}

export function waivedNow(view: View): string[] {
	return view.holds.map(hold => hold.run).filter(run => view.waived.has(run));
}

function names(listed: Places, places: Places): boolean {
	return listed.some(entry => places.some(place => place.session === entry.session && place.pane === entry.pane));
}
