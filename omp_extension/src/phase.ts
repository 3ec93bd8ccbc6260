/** Where this agent stands on the way from a request to the end of its pause, as values. */
import type { Box, Claim } from "./box.ts";
import type { Shown } from "./documents.ts";

export interface Running {
	readonly at: "running";
}

/** A request has been claimed and its pause screen opened, which nobody has seen on the terminal yet. */
export interface Showing {
	readonly at: "showing";
	readonly box: Box;
	readonly claim: Claim;
	readonly claimedMs: number;
	readonly engagedMs: number;
}

export interface Paused {
	readonly at: "paused";
	readonly by: "request" | "person";
	/** null: a pause of the person's whose screen has not been seen on the terminal yet. */
	readonly shown: Shown | null;
	/** What the pause is for; empty in a pause of the person's. */
	readonly runs: readonly string[];
}

export type Phase = Running | Showing | Paused;

export const RUNNING: Running = { at: "running" };

/** What a pause is for, as far as that is known in this phase. */
export function runsOf(phase: Phase): readonly string[] {
	if (phase.at === "paused") return phase.runs;
	return phase.at === "showing" ? phase.claim.request.holds : [];
}
