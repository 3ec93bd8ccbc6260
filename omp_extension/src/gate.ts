/** The one switch that holds this process's agents, and who has engaged it. */

/** Who holds it by reflex: after a lost focus, or while a boundary is asked about. Both step aside for everybody else. */
export type ReflexOwner = "brake" | "boundary";

/** Who may hold the gate: the reflex, the overlay or the line for a request, or the person by their own pause. */
export type Owner = ReflexOwner | "overlay" | "line" | "person";

/** OMP's gate, as far as it is used here. */
export interface AgentGate {
	readonly paused: boolean;
	pause(): boolean;
	resume(): number | undefined;
	onChange(listener: (paused: boolean) => void): () => void;
}

export interface GateEvents {
	/** A change that was not made through this object. */
	outside(paused: boolean): void;
	/** The reflex held the gate, and somebody else has it now or is about to. */
	takenFromReflex(): void;
	/** The line held the gate, and a pause command is about to: the pause goes on, and is the person's. */
	takenFromLine(): void;
}

export class Gate {
	#owner: Owner | null;
	#acting: Owner | null = null;
	/** OMP's gate is being opened, and everybody is told. */
	#opening = false;
	/** What others have opened is not told yet: it may lead to the gate being closed again, of which nobody must hear first. */
	#untold = false;
	/** A pause command of ours whose screen is gone has not ended yet. As its last act it resumes the gate. */
	commandEnding = false;
	readonly #closers: (() => void)[];

	constructor(
		private readonly gate: AgentGate,
		private readonly events: GateEvents,
	) {
		this.#owner = gate.paused ? "person" : null;
		this.#closers = [gate.onChange(paused => this.#changed(paused)), this.#stepAside(), this.#standFast()];
	}

	get owner(): Owner | null {
		return this.#owner;
	}

	/** False: somebody else holds the gate. The two owners of the reflex take it over from each other. */
	engage(owner: ReflexOwner): boolean {
		if (byReflex(this.#owner)) this.#owner = owner;
		else if (this.#owner === null) this.as(owner, () => this.gate.pause());
		return this.#owner === owner;
	}

	/** For the line; from the reflex it is taken over as it is, closed. False: somebody else holds the gate. */
	take(): boolean {
		const before = this.#owner;
		if (byReflex(before)) {
			this.#owner = "line";
			this.events.takenFromReflex();
		} else if (before === null) this.as("line", () => this.gate.pause());
		return this.#owner === "line";
	}

	/** Whatever the gate does while `act` runs is done for `owner`. */
	as<T>(owner: Owner, act: () => T): T {
		const before = this.#acting;
		this.#acting = owner;
		try {
			return act();
		} finally {
			this.#acting = before;
		}
	}

	/** Let go, if it is this owner's. */
	release(owner: Owner): boolean {
		if (this.#owner !== owner) return false;
		this.as(owner, () => this.gate.resume());
		return true;
	}

	dispose(): void {
		for (const close of this.#closers) close();
	}

	#changed(paused: boolean): void {
		const inside = this.#acting;
		const before = this.#owner;
		this.#owner = paused ? (inside ?? "person") : null;
		if (inside !== null) return;
		if (byReflex(before)) this.events.takenFromReflex();
		if (this.#opening) this.#untold = true;
		else this.events.outside(paused);
	}

	/** In the tick in which it opens no parked loop gets through; whoever closes it again in that tick is in time. */
	#open<T>(resume: () => T): T {
		this.#opening = true;
		try {
			return resume();
		} finally {
			this.#opening = false;
			if (this.#untold) {
				this.#untold = false;
				this.events.outside(false);
			}
		}
	}

	/**
	 * OMP's pause command does nothing at all where the gate is engaged already, so its method is wrapped: what the reflex or the line
	 * holds is released and engaged anew in one tick, in which no parked loop gets through. The result takes the wrapping off again.
	 */
	#stepAside(): () => void {
		const { gate } = this;
		const { pause } = gate;
		const wrapped = (): boolean => {
			const owner = this.#owner;
			if (byReflex(owner)) {
				this.release(owner);
				this.events.takenFromReflex();
			} else if (owner === "line") {
				this.release(owner);
				this.events.takenFromLine();
			}
			return pause.call(gate);
		};
		gate.pause = wrapped;
		return () => {
			if (gate.pause === wrapped) gate.pause = pause;
		};
	}

	/** The late resume of a pause command was meant for its own pause, and must not open what the reflex has closed since. */
	#standFast(): () => void {
		const { gate } = this;
		const { resume } = gate;
		const wrapped = (): number | undefined => {
			const late = this.commandEnding && this.#acting === null && byReflex(this.#owner);
			return late ? undefined : this.#open(() => resume.call(gate));
		};
		gate.resume = wrapped;
		return () => {
			if (gate.resume === wrapped) gate.resume = resume;
		};
	}
}

export function byReflex(owner: Owner | null): owner is ReflexOwner {
	return owner === "brake" || owner === "boundary";
}
