/**
 * The agent's own first reaction: at a lost focus, and in strict mode before every step, the gate is engaged at once and the
 * controller asked whether the agent may go on. The rules are those of docs/reference/state-files.md, "The reflex".
 */
import type { Answered, Verdict } from "./ask.ts";
import type { Attended } from "./attended.ts";
import { GRACE_MS } from "./controller.ts";
import type { Problem } from "./documents.ts";
import { byReflex, type Owner, type ReflexOwner } from "./gate.ts";
import type { Lease, Mode } from "./lease.ts";
import { Silences } from "./silences.ts";

export interface ReflexEffects {
	readonly attended: Attended;
	readonly gate: { readonly owner: Owner | null; engage(owner: ReflexOwner): boolean; release(owner: ReflexOwner): boolean };
	readonly line: { show(owner: ReflexOwner): void; hide(): void };
	/** What is allowed now; null: nothing. */
	lease(): Lease | null;
	/** Whether a window that is not in front is to pause the agent. */
	awayCounts(): boolean;
	/** `answered` is called at most once, also at once. */
	ask(question: number, event: string, answered: Answered): void;
	/** False while another program has the terminal, and no line can be shown. */
	terminalIsOurs(): boolean;
	/** Whether a request lies in the mailbox or is being carried out. */
	requested(): boolean;
	nowMs(): number;
	later(ms: number, act: () => void): void;
	publish(): void;
	wake(trigger: string): void;
	report(error: unknown): void;
}

export interface ReflexState {
	readonly mode: Mode;
	readonly reports: boolean;
	readonly away: boolean;
	readonly silent: number;
	/** Since when the agent is braked; only then. */
	readonly since_ms?: number;
}

/**
 * The gate is held by the reflex, and one question about it is open or answered. Each time it is another object, by which timers
 * and late answers tell whether the hold that they concern is over.
 */
interface Hold {
	readonly owner: ReflexOwner;
	/** What the question was asked for, and is asked for again. */
	readonly event: string;
	/** The newest one; an answer to any other is ignored. */
	question: number;
	/**
	 * `nothing` as long as the question is open, `silence` where it was not answered and the agent stays held. The answer `run`
	 * ends the hold.
	 */
	said: "nothing" | "pause" | "silence";
	readonly sinceMs: number;
	/** How often no request has followed the answer `pause`. */
	inVain: number;
	/** Whether the line is up, and the status file says `braked`. */
	shown: boolean;
}

/** Of a boundary most holds are over before a line could be read; it would only flicker. */
export const BOUNDARY_LINE_MS = 100;
/** How long a request may take after the answer `pause`. */
export const REQUEST_MS = 2_000;
export const PAUSES_WITHOUT_REQUEST = 3;
export const CHECK_MS = 500;
const ASK_AGAIN_MS = 1_000;

export class Reflex {
	#hold: Hold | null = null;
	/** The last hold that ended for want of an answer; nothing has happened since that makes an answer to it old. */
	#silentHold: Hold | null = null;
	/** A step waited at a boundary when the gate was taken for a request: its question is still without an answer. */
	#stepWaits = false;
	#question = 0;
	readonly #silences = new Silences();
	#problem: Problem | null = null;
	/** The mode at the last poll. */
	#told: Mode = "off";
	/** The timer that looks at the lease is running. */
	#checking = false;

	constructor(private readonly effects: ReflexEffects) {}

	get state(): ReflexState {
		const { reports, away } = this.effects.attended;
		const since = this.#hold?.shown ? { since_ms: this.#hold.sinceMs } : {};
		return { mode: this.#lease()?.mode ?? "off", reports, away, silent: this.#silences.count, ...since };
	}

	/** Whether the gate is held, with a line that says so. */
	get braked(): boolean {
		return this.#hold?.shown === true;
	}

	get problem(): Problem | null {
		return this.#problem;
	}

	// --- what the terminal tells

	/** Brakes where that is allowed. Else it is told all the same if it is news: a lost focus that was known already is not. */
	focusOut(): void {
		const { attended } = this.effects;
		const news = !attended.away;
		attended.focusOut();
		if (this.#brake("focus-out") || !news) return;
		this.effects.publish();
		if (this.effects.awayCounts()) this.effects.wake("away"); // the host may see nothing of it
	}

	/** Lets go, as every proof does that the person is here. */
	focusIn(): void {
		this.#present(() => this.effects.attended.focusIn());
	}

	/**
	 * A key of the person's in this pane. Where the agent is held it is a proof even if the host reports the focus: the agent is
	 * held under the person's eyes.
	 */
	key(): void {
		const held = this.#hold !== null;
		this.#present(() => this.effects.attended.key(held));
	}

	// --- what the agent and its mailbox tell

	/**
	 * Before a step of the agent, early enough that the gate stops it. Only in strict mode anything is done, and nothing where
	 * the agent is paused already.
	 */
	boundary(event: string): void {
		const { gate } = this.effects;
		if ((gate.owner !== null && !byReflex(gate.owner)) || !this.effects.terminalIsOurs()) return;
		if (this.#lease()?.mode !== "strict") return;
		const hold = this.#hold;
		if (!hold) this.#engage("boundary", event);
		else if (hold.said === "nothing") this.#ask(hold, event);
	}

	/** A request has ended without a pause. What held the gate before goes on again; what holds it asks anew. */
	requestEnded(): void {
		const hold = this.#hold;
		if (!hold) {
			if (this.effects.attended.away) this.#brake("request-ended");
			else if (this.#stepWaits) this.boundary("request-ended");
		} else if (hold.said === "pause" && !this.effects.requested()) this.#ask(hold, "request-ended");
	}

	/** The gate has gone to somebody else: to the overlay, the person, or whoever has resumed it. */
	taken(): void {
		this.#stepWaits = this.#hold?.owner === "boundary";
		this.#hold = null;
		this.#problem = null;
		this.effects.line.hide();
	}

	/** To be called regularly: who reads the status file shall see what the lease has become. Nothing is read before the first report. */
	poll(): void {
		if (!this.effects.attended.reports) return;
		const { mode } = this.state;
		if (mode !== this.#told) this.effects.publish();
		this.#told = mode;
	}

	stop(): void {
		this.#letGo();
	}

	// --- engage and let go

	/** False: the gate is not held by the reflex, and nothing has been published. */
	#brake(event: string): boolean {
		return this.effects.terminalIsOurs() && this.#lease() !== null && this.#engage("brake", event);
	}

	/**
	 * The line and the status file of a brake come before its question: whoever that wakes finds the agent braked. At a boundary
	 * most answers come before there is anything to show, unless its step has waited once already.
	 */
	#engage(owner: ReflexOwner, event: string): boolean {
		if (!this.effects.gate.engage(owner)) {
			// While a request is being carried out every lost focus is news for the controller all the same.
			if (this.effects.requested()) this.#put(++this.#question, event, () => {});
			return false;
		}
		const sinceMs = this.#hold?.sinceMs ?? this.effects.nowMs();
		const hold: Hold = { owner, event, question: 0, said: "nothing", sinceMs, inVain: 0, shown: false };
		this.#hold = hold;
		const again = this.#stepWaits;
		this.#stepWaits = false;
		if (owner === "brake" || again) this.#show(hold);
		else this.effects.later(BOUNDARY_LINE_MS, () => this.#show(hold));
		this.#check();
		this.#ask(hold, event);
		return true;
	}

	#show(hold: Hold): void {
		if (this.#hold !== hold || hold.shown) return;
		hold.shown = true;
		this.effects.line.show(hold.owner);
		this.effects.publish();
	}

	/** The person is here: what was held is let go, and what was asked or failed in their absence no longer matters. */
	#present(prove: () => void): void {
		const shown = this.#release();
		this.#silentHold = null;
		this.#stepWaits = false;
		// A controller that does not answer is news until it does; the rest concerned an absence that is over.
		const over = this.#problem !== null && this.#problem.code !== "unanswered";
		if (over) this.#problem = null;
		prove();
		if (shown || over) this.effects.publish();
	}

	#letGo(): void {
		if (this.#release()) this.effects.publish();
	}

	/** True: the status file says that the agent is braked. */
	#release(): boolean {
		const hold = this.#hold;
		if (!hold) return false;
		this.#hold = null;
		this.effects.gate.release(hold.owner);
		this.effects.line.hide();
		return hold.shown;
	}

	// --- questions and answers

	/**
	 * A new question, which makes the one before it old. No answer in time is a silence; GRACE_MS lets one be read that came
	 * while the event loop was blocked.
	 */
	#ask(hold: Hold, event: string): void {
		const lease = this.#lease();
		if (!lease) return this.#leaseIsOver();
		this.#silentHold = null;
		hold.said = "nothing";
		const question = ++this.#question;
		hold.question = question;
		this.effects.later(lease.askMs, () => {
			this.effects.later(GRACE_MS, () => {
				if (this.#stillOpen(hold, question)) this.#silence(hold);
			});
		});
		this.#put(question, event, verdict => this.#answered(hold, question, verdict));
	}

	/** Whatever the answer is and whatever has become of the hold, it says that there is a controller. */
	#put(question: number, event: string, answered: (verdict: Verdict | null) => void): void {
		this.effects.ask(question, event, verdict => {
			if (verdict !== null) this.#controllerIsThere(verdict);
			answered(verdict);
		});
	}

	#stillOpen(hold: Hold, question: number): boolean {
		return this.#hold === hold && hold.question === question && hold.said === "nothing";
	}

	#answered(hold: Hold, question: number, verdict: Verdict | null): void {
		if (hold.question !== question) return;
		if (this.#hold !== hold) return this.#answeredLate(hold, verdict);
		if (verdict === null) {
			if (hold.said === "nothing") this.#silence(hold);
		} else if (verdict === "pause") this.#mayNotGoOn(hold);
		else this.#letGo();
	}

	/** The agent was let go for want of the answer that is here now. Its person is still away: back on the brake. */
	#answeredLate(hold: Hold, verdict: Verdict | null): void {
		if (this.#silentHold !== hold || verdict !== "pause" || !this.effects.attended.away) return;
		if (!this.effects.terminalIsOurs() || !this.#lease() || !this.effects.gate.engage("brake")) return;
		const again: Hold = { ...hold, owner: "brake", shown: false };
		this.#hold = again;
		this.#check();
		this.#mayNotGoOn(again);
	}

	#mayNotGoOn(hold: Hold): void {
		this.#silentHold = null;
		hold.said = "pause";
		this.#show(hold);
		this.#awaitRequest(hold, hold.question);
	}

	/**
	 * The answer `pause` promises a request, which makes a pause of the brake. One that does not come is asked about again, and
	 * not for ever.
	 */
	#awaitRequest(hold: Hold, question: number): void {
		this.effects.later(REQUEST_MS, () => {
			if (this.#hold !== hold || hold.question !== question) return;
			if (this.effects.requested()) this.#awaitRequest(hold, question);
			else if (++hold.inVain < PAUSES_WITHOUT_REQUEST) this.#ask(hold, hold.event);
			else this.#giveUp("no-request", "the controller says again and again that this agent is to pause, and sends no request");
		});
	}

	/** The agent goes on, or stays where it is if the mode is strict and the settings say so. */
	#silence(hold: Hold): void {
		const lease = this.#lease();
		this.#silences.unanswered();
		if (lease?.mode === "strict" && lease.failClosed) this.#stayClosed(hold);
		else {
			this.#silences.switchOff(lease, this.effects.nowMs());
			this.#giveUp("unanswered", "the controller has not answered whether this agent may go on");
			this.#silentHold = hold;
		}
		this.effects.wake("unanswered"); // the question was to wake it, too
	}

	/** Asks again after 1 s to 5 s, until there is an answer, the lease is over or a key lets go. */
	#stayClosed(hold: Hold): void {
		hold.said = "silence";
		if (hold.shown) this.effects.publish();
		else this.#show(hold);
		const { question } = hold;
		this.effects.later(ASK_AGAIN_MS * Math.min(this.#silences.count, 5), () => {
			if (this.#hold === hold && hold.question === question && hold.said === "silence") this.#ask(hold, hold.event);
		});
	}

	#controllerIsThere(verdict: Verdict): void {
		this.#silences.answered();
		if (this.#problem === null || (this.#problem.code === "no-request" && verdict === "pause")) return;
		this.#problem = null;
		this.effects.publish();
	}

	// --- the lease, and what else may end a hold

	#lease(): Lease | null {
		const lease = this.effects.lease();
		return lease && this.#silences.allows(lease, this.effects.nowMs()) ? lease : null;
	}

	/** What allows a hold and what shows it may end without a word. One timer while the gate is held, none else. */
	#check(): void {
		if (this.#checking) return;
		this.#checking = true;
		this.effects.later(CHECK_MS, () => {
			this.#checking = false;
			if (!this.#hold) return;
			if (!this.#lease()) this.#leaseIsOver();
			else if (!this.effects.terminalIsOurs()) this.#letGo();
			else this.#check();
		});
	}

	#leaseIsOver(): void {
		this.#giveUp("lease-over", "the controller no longer says that this agent may brake by itself");
		this.effects.wake("lease-over"); // whoever the question woke may have ended with the lease
	}

	/** Lets go, and says why. In the log it stands once, however often it happens in a row. */
	#giveUp(code: Problem["code"], text: string): void {
		if (this.#problem?.code !== code) this.effects.report(`${code}: ${text}`);
		this.#problem = { code, text, since_ms: this.effects.nowMs() };
		this.#release();
		this.effects.publish();
	}
}
