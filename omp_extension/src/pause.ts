/**
 * The state that the parts of the mailbox share: whether this agent is paused, by what, and which holds the person has overruled.
 * Each part changes it at its own step (see mailbox.ts), and nobody else does.
 */
import type { Attended } from "./attended.ts";
import type { Box } from "./box.ts";
import type { Hold, Problem, Shown } from "./documents.ts";
import type { PauseScreen } from "./pausescreen.ts";
import { type Phase, RUNNING } from "./phase.ts";
import { type Places, type View, waivedNow } from "./rules.ts";

/** What the mailbox needs of the rest of this process. */
export interface MailboxEffects {
	/** One mailbox for each session that this process takes part in; the pause is one for all of them. */
	readonly boxes: readonly Box[];
	readonly places: Places;
	readonly attended: Attended;
	readonly screens: Readonly<Record<Shown, PauseScreen>>;
	/** Of the agent, the extension and the protocol; each acknowledgement names them. */
	readonly versions: object;
	holds(): Hold[];
	/** Whether any pause screen is on the terminal, also one that the person brought up. */
	saysPaused(): boolean;
	nowMs(): number;
	later(ms: number, act: () => void): void;
	newEngagement(): string;
	/** Write the status file. */
	publish(): void;
	/** Wake the controller. */
	wake(trigger: string): void;
	/** A request has come to its end, or is put off, and the agent is not paused. */
	requestEnded(): void;
	report(error: unknown): void;
}

/** What the status file says of the pause. */
export interface PauseState {
	readonly state: "running" | "paused";
	readonly by: "request" | "person" | null;
	readonly shown: Shown | null;
	readonly runs: readonly string[];
	readonly waived: readonly string[];
	readonly engagement: string | null;
}

/** With what has kept the last pause from being shown. */
export interface AgentState extends PauseState {
	readonly problem: Problem | null;
}

export class Pause {
	phase: Phase = RUNNING;
	/** By what the pause shows, or the last one did. */
	shown: Shown = "overlay";
	/** Names the pause, or the last one: a request to resume has to name the pause that it means. */
	engagement: string | null = null;
	/** The holds that the person has overruled by resuming, as long as their files are there. */
	waived: ReadonlySet<string> = new Set();

	constructor(private readonly effects: MailboxEffects) {}

	get state(): PauseState {
		const paused = this.phase.at === "paused" ? this.phase : null;
		return {
			state: paused ? "paused" : "running",
			by: paused?.by ?? null,
			shown: paused?.shown ?? null,
			runs: paused?.runs ?? [],
			waived: [...this.waived],
			engagement: this.engagement,
		};
	}

	get screen(): PauseScreen {
		return this.effects.screens[this.shown];
	}

	/**
	 * Whether a pause may begin. The overlay is asked also where a line is to show it: the pause command of an overlay that was
	 * closed may still be running, and resumes the gate as its last act.
	 */
	get ready(): boolean {
		return this.effects.screens.overlay.ready();
	}

	/** What the decisions of rules.ts are made from, read afresh each time: nothing of it is remembered between two steps. */
	view(): View {
		return {
			attended: this.effects.attended.count,
			waived: this.waived,
			holds: this.effects.holds(),
			places: this.effects.places,
			nowMs: this.effects.nowMs(),
		};
	}

	/** The file first: whom the wake-up reaches must find it. */
	announce(trigger: string): void {
		this.effects.publish();
		this.effects.wake(trigger);
	}

	forgetWaivedThatAreGone(): void {
		if (this.waived.size > 0) this.waived = new Set(waivedNow(this.view()));
	}
}
