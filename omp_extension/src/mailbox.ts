/** The mailbox protocol from the agent's side (docs/reference/state-files.md): what is asked, done, acknowledged, taken back. */
import type { Attended } from "./attended.ts";
import type { Box, Claim } from "./box.ts";
import type { Hold, Problem, Shown } from "./documents.ts";
import type { OpenFailure, PauseScreen } from "./pausescreen.ts";
import {
	type Engagement,
	keptRuns,
	mayResume,
	overtaken,
	type Places,
	standing,
	type View,
	waivedAfterResume,
	waivedNow,
} from "./rules.ts";

export interface Effects {
	readonly boxes: readonly Box[];
	readonly places: Places;
	readonly attended: Attended;
	readonly screens: Readonly<Record<Shown, PauseScreen>>;
	readonly versions: object;
	holds(): Hold[];
	/** Whether any pause screen is on the terminal, also one that the person brought up. */
	saysPaused(): boolean;
	nowMs(): number;
	later(ms: number, act: () => void): void;
	newEngagement(): string;
	publish(): void;
	wake(trigger: string): void;
	/** A request has come to its end, or is put off, and the agent is not paused. */
	requestEnded(): void;
	report(error: unknown): void;
}

export interface AgentState {
	readonly state: "running" | "paused";
	readonly by: "request" | "person" | null;
	readonly shown: Shown | null;
	readonly runs: readonly string[];
	readonly waived: readonly string[];
	readonly engagement: string | null;
	readonly problem: Problem | null;
}

interface Running {
	readonly at: "running";
}

interface Showing {
	readonly at: "showing";
	readonly box: Box;
	readonly claim: Claim;
	readonly claimedMs: number;
	readonly engagedMs: number;
}

interface Paused {
	readonly at: "paused";
	readonly by: "request" | "person";
	readonly shown: Shown | null;
	readonly runs: readonly string[];
}

const PAINT_POLL_MS = 5;
/** Looks, not time, are counted: a blocked event loop delays the paint as much as the look. */
const PAINT_POLLS = 200;
export const RETRY_MS = 2_000;

export class Mailbox {
	#phase: Running | Showing | Paused = { at: "running" };
	/** By what the pause shows, or the last one did. */
	#shown: Shown = "overlay";
	#engagement: string | null = null;
	#waived = new Set<string>();
	#problem: Problem | null = null;
	#retryAtMs = 0;

	constructor(private readonly effects: Effects) {}

	get state(): AgentState {
		const phase = this.#phase;
		const paused = phase.at === "paused" ? phase : null;
		return {
			state: paused ? "paused" : "running",
			by: paused?.by ?? null,
			shown: paused?.shown ?? null,
			runs: paused?.runs ?? [],
			waived: [...this.#waived],
			engagement: this.#engagement,
			problem: this.#problem,
		};
	}

	/** Whether a request lies in a mailbox or is being carried out. */
	get requested(): boolean {
		return this.#phase.at === "showing" || this.effects.boxes.some(box => box.waiting());
	}

	/** Act on what is in the mailbox now. Any number of looks, at any time, do no harm. */
	look(): void {
		this.#forgetWaivedThatAreGone();
		if (this.#phase.at === "running") this.#takeRequest();
		else if (this.#phase.at === "paused") this.#settle(this.#phase);
	}

	/** What kept a request from being carried out may be over. */
	retryNow(): void {
		this.#retryAtMs = 0;
		this.look();
	}

	/** The person asks for the pause screen by the key. */
	pauseByPerson(): void {
		if (this.#phase.at !== "running" || !this.#ready) return;
		const failure = this.effects.screens.overlay.open("person");
		if (!failure) return this.#pausedByPerson();
		this.#failed(failure);
		this.effects.requestEnded();
	}

	/** The person's key for a pause that a line shows; the pause screen has keys of its own. False: there is none. */
	resumeByPerson(): boolean {
		if (this.#phase.at === "running" || this.#shown !== "line") return false;
		if (this.effects.attended.away) this.effects.attended.key(); // whoever presses it is here, whatever was reported before
		this.#screen.close();
		this.#end(true);
		return true;
	}

	/** The pause that a line shows becomes the person's own: a pause command is about to engage the gate anew, in this very tick. */
	lineTaken(): void {
		const ended = this.#phase;
		this.#phase = { at: "running" };
		this.#screen.closedByPerson();
		this.#clear(ended);
	}

	/** Somebody else has engaged or released the gate. */
	gateChangedOutside(paused: boolean): void {
		if (paused) return this.#pausedByPerson();
		if (this.#phase.at === "running") return this.effects.publish(); // it was the reflex that held the gate
		const byPerson = !this.#screen.up();
		if (byPerson) this.#screen.closedByPerson();
		else this.#screen.close();
		this.#end(byPerson);
	}

	/** The pause screen broke down and took the gate with it. */
	screenLost(): void {
		if (this.#phase.at === "running") return;
		this.#failed({ code: "error", text: "the pause screen ended by itself" });
		this.#end(false);
		this.effects.requestEnded();
	}

	// --- from the request to the screen

	#takeRequest(): void {
		for (const box of this.effects.boxes) box.takeResume(); // there is no engagement to end
		if (!this.#ready || this.#backsOff()) return;
		let found = false;
		for (const box of this.effects.boxes) {
			const claim = box.claim();
			if (!claim) continue;
			found = true;
			this.#carryOut(box, claim);
			if (this.#phase.at !== "running") return;
		}
		if (!found) this.#clearProblem();
	}

	#carryOut(box: Box, claim: Claim): void {
		const claimedMs = this.effects.nowMs();
		if (standing(claim.request, this.#view()).length === 0) return this.#drop(box, claim);
		this.#shown = claim.request.show;
		const failure = this.#screen.open("overlay");
		if (failure) return this.#giveBack(box, claim, failure);
		const showing: Showing = { at: "showing", box, claim, claimedMs, engagedMs: this.effects.nowMs() };
		this.#phase = showing;
		this.#awaitPaint(
			showing,
			() => this.#screen.painted(),
			() => this.#acknowledge(showing),
			() => this.#retract(showing, NOT_PAINTED),
		);
	}

	#drop(box: Box, claim: Claim): void {
		box.finish(claim);
		this.#clearProblem();
		if (overtaken(claim.request, this.effects.attended.count)) this.#announce("overtaken");
		this.effects.requestEnded();
	}

	#awaitPaint(phase: Showing | Paused, painted: () => boolean, then: () => void, otherwise: () => void, polls = PAINT_POLLS): void {
		this.effects.later(PAINT_POLL_MS, () => {
			if (this.#phase !== phase) return;
			if (painted()) then();
			else if (polls > 1) this.#awaitPaint(phase, painted, then, otherwise, polls - 1);
			else otherwise();
		});
	}

	// --- acknowledged, and checked once more in the same tick

	#acknowledge(showing: Showing): void {
		try {
			this.#engagement = this.effects.newEngagement();
			showing.box.acknowledge(this.#acknowledgement(showing, this.#engagement), this.effects.versions);
			this.#recheck(showing);
		} catch (error) {
			this.effects.report(error);
			this.#retract(showing, { code: "error", text: String(error) });
		}
	}

	#acknowledgement(showing: Showing, engagement: string): Parameters<Box["acknowledge"]>[0] {
		return {
			runs: standing(showing.claim.request, this.#view()),
			engagement,
			claimed_ms: showing.claimedMs,
			engaged_ms: showing.engagedMs,
			shown_ms: this.effects.nowMs(),
			shown: this.#shown,
		};
	}

	#recheck(showing: Showing): void {
		const claim = this.#newest(showing);
		const runs = keptRuns(claim.request, this.#view());
		if (runs.length === 0) return this.#takeBack(showing.box, claim);
		this.#phase = { at: "paused", by: "request", shown: this.#shown, runs };
		this.#problem = null;
		this.effects.publish();
		showing.box.finish(claim);
		this.effects.wake("paused");
	}

	/** A newer request replaces the one that was worked on; an empty one withdraws it. */
	#newest(showing: Showing): Claim {
		const newer = showing.box.claim();
		if (newer) showing.box.finish(showing.claim);
		return newer ?? showing.claim;
	}

	#takeBack(box: Box, claim: Claim): void {
		this.#screen.close();
		this.#phase = { at: "running" };
		this.#problem = null;
		box.removeAcknowledgement();
		box.finish(claim);
		this.#announce("taken-back");
		this.effects.requestEnded();
	}

	// --- what could not be carried out

	#retract(showing: Showing, failure: OpenFailure): void {
		this.#screen.close();
		this.#phase = { at: "running" };
		showing.box.removeAcknowledgement();
		this.#giveBack(showing.box, showing.claim, failure);
	}

	#giveBack(box: Box, claim: Claim, failure: OpenFailure): void {
		try {
			box.giveBack(claim);
		} finally {
			this.#failed(failure);
			this.effects.requestEnded();
		}
	}

	/** Said until something works, and nothing is tried for a while: what was put back would else be claimed again at once. */
	#failed(failure: OpenFailure): void {
		this.#retryAtMs = this.effects.nowMs() + RETRY_MS;
		const same = this.#problem?.code === failure.code && this.#problem.text === failure.text;
		if (same) return;
		this.#problem = { ...failure, since_ms: this.effects.nowMs() };
		this.effects.publish();
	}

	/** A time further ahead than any back-off is from before the clock was set back. */
	#backsOff(): boolean {
		const leftMs = this.#retryAtMs - this.effects.nowMs();
		return leftMs > 0 && leftMs <= RETRY_MS;
	}

	#clearProblem(): void {
		if (!this.#problem) return;
		this.#problem = null;
		this.effects.publish();
	}

	// --- while paused, and its end

	#settle(paused: Paused): void {
		for (const box of this.effects.boxes) {
			box.discard(); // asked for what is so already; a person's own pause is taken over by nobody
			const resume = box.takeResume();
			if (resume && mayResume(resume.engagement, this.#current(paused), this.#view())) {
				this.#screen.close();
				this.#end(false);
				return this.effects.requestEnded(); // the person may have left since it was asked for
			}
		}
	}

	#current(paused: Paused): Engagement {
		return { id: this.#engagement, by: paused.by, runs: paused.runs };
	}

	#pausedByPerson(): void {
		const paused: Paused = { at: "paused", by: "person", shown: null, runs: [] };
		this.#phase = paused;
		this.#shown = "overlay";
		this.#engagement = this.effects.newEngagement();
		this.#announce("paused");
		this.#awaitPaint(
			paused,
			() => this.effects.saysPaused(),
			() => this.#personSeesIt(paused),
			() => this.#personSeesNothing(),
		);
	}

	#personSeesIt(paused: Paused): void {
		this.#phase = { ...paused, shown: "overlay" };
		this.#problem = null;
		this.effects.publish();
	}

	/** Our own screen is taken back; a gate that others hold is theirs. */
	#personSeesNothing(): void {
		if (!this.#screen.up()) return;
		this.#screen.close();
		this.#failed(NOT_PAINTED);
		this.#end(false);
		this.effects.requestEnded();
	}

	#end(byPerson: boolean): void {
		const ended = this.#phase;
		const view = this.#view();
		this.#phase = { at: "running" };
		if (byPerson) {
			this.#waived = new Set(waivedAfterResume(view, runsOf(ended)));
			this.effects.attended.resumed();
		}
		try {
			this.#clear(ended);
			this.#announce("running");
			this.effects.later(0, () => this.look());
		} finally {
			// OMP opens its gate some time after the person's key, who may have left since.
			if (byPerson && this.effects.attended.away) this.effects.requestEnded();
		}
	}

	/** Nothing in the mailboxes speaks of this pause any more. */
	#clear(ended: Running | Showing | Paused): void {
		for (const box of this.effects.boxes) box.removeAcknowledgement();
		if (ended.at === "showing") ended.box.finish(ended.claim);
	}

	// --- small things

	get #screen(): PauseScreen {
		return this.effects.screens[this.#shown];
	}

	/** Also before the line: the pause command of a screen that was closed resumes the gate as its last act. */
	get #ready(): boolean {
		return this.effects.screens.overlay.ready();
	}

	/** The file first: whom the wake-up reaches must find it. */
	#announce(trigger: string): void {
		this.effects.publish();
		this.effects.wake(trigger);
	}

	#forgetWaivedThatAreGone(): void {
		if (this.#waived.size > 0) this.#waived = new Set(waivedNow(this.#view()));
	}

	#view(): View {
		return {
			attended: this.effects.attended.count,
			waived: this.#waived,
			holds: this.effects.holds(),
			places: this.effects.places,
			nowMs: this.effects.nowMs(),
		};
	}
}

const NOT_PAINTED: OpenFailure = { code: "not-painted", text: "the pause screen did not appear on the terminal" };

function runsOf(phase: Running | Showing | Paused): readonly string[] {
	if (phase.at === "paused") return phase.runs;
	return phase.at === "showing" ? phase.claim.request.holds : [];
}
