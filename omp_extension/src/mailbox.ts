/**
 * The mailbox protocol from the agent's side (docs/reference/state-files.md, "Mailbox"): who is to act on what has happened. Each
 * way from there is a part of its own: a request is claimed (claim.ts), its screen seen (paint.ts) and acknowledged (acknowledge.ts),
 * or it goes back (giveback.ts, backoff.ts); the person pauses (ownpause.ts); a pause ends (resume.ts).
 */
import { Acknowledging } from "./acknowledge.ts";
import { BackOff } from "./backoff.ts";
import { Claiming } from "./claim.ts";
import { GivingBack } from "./giveback.ts";
import { OwnPause } from "./ownpause.ts";
import { PaintWatch } from "./paint.ts";
import { type AgentState, type MailboxEffects, Pause } from "./pause.ts";
import { Resuming } from "./resume.ts";

export class Mailbox {
	readonly #pause: Pause;
	readonly #backOff: BackOff;
	readonly #claiming: Claiming;
	readonly #ownPause: OwnPause;
	readonly #resuming: Resuming;

	constructor(private readonly effects: MailboxEffects) {
		this.#pause = new Pause(effects);
		this.#backOff = new BackOff(effects);
		const paint = new PaintWatch(this.#pause, effects);
		const givingBack = new GivingBack(this.#pause, this.#backOff, effects);
		const acknowledging = new Acknowledging(this.#pause, givingBack, this.#backOff, effects);
		this.#claiming = new Claiming(this.#pause, paint, acknowledging, givingBack, this.#backOff, effects);
		this.#resuming = new Resuming(this.#pause, this.#backOff, effects, () => this.look());
		this.#ownPause = new OwnPause(this.#pause, paint, this.#resuming, this.#backOff, effects);
	}

	get state(): AgentState {
		return { ...this.#pause.state, problem: this.#backOff.problem };
	}

	/** Whether a request lies in a mailbox or is being carried out. */
	get requested(): boolean {
		return this.#pause.phase.at === "showing" || this.effects.boxes.some(box => box.waiting());
	}

	/** Act on what is in the mailbox now. Any number of looks, at any time, do no harm. */
	look(): void {
		this.#pause.forgetWaivedThatAreGone();
		const { phase } = this.#pause;
		if (phase.at === "running") this.#claiming.take();
		else if (phase.at === "paused") this.#resuming.byRequest(phase);
	}

	/** What kept a request from being carried out may be over. */
	retryNow(): void {
		this.#backOff.end();
		this.look();
	}

	/** The person asks for the pause screen by the key. */
	pauseByPerson(): void {
		this.#ownPause.byKey();
	}

	/** The person's key for a pause that a line shows; the pause screen has keys of its own. False: there is no such pause. */
	resumeByPerson(): boolean {
		return this.#resuming.byKey();
	}

	/** The pause that a line shows becomes the person's own. */
	lineTaken(): void {
		this.#resuming.takenOver();
	}

	/** Somebody else has engaged or released the gate. */
	gateChangedOutside(paused: boolean): void {
		if (paused) this.#ownPause.begun();
		else if (this.#pause.phase.at === "running") this.effects.publish(); // it was the reflex that held the gate
		else this.#resuming.gateReleased();
	}

	/** The pause screen broke down and took the gate with it. */
	screenLost(): void {
		this.#resuming.screenLost();
	}
}
