/** The one switch that holds this process's agents, and who has engaged it. */

/** Who may hold the gate: the overlay for a request, or the person by their own pause. */
export type Owner = "overlay" | "person";

/** OMP's gate, as far as it is used here. */
export interface AgentGate {
	readonly paused: boolean;
	resume(): number | undefined;
	onChange(listener: (paused: boolean) => void): () => void;
}

export class Gate {
	#owner: Owner | null;
	#acting: Owner | null = null;
	readonly #unsubscribe: () => void;

	/** `onOutside` hears of every change that was not made through this object. */
	constructor(
		private readonly gate: AgentGate,
		onOutside: (paused: boolean) => void,
	) {
		this.#owner = gate.paused ? "person" : null;
		this.#unsubscribe = gate.onChange(paused => {
			const inside = this.#acting;
			this.#owner = paused ? (inside ?? "person") : null;
			if (inside === null) onOutside(paused);
		});
	}

	get owner(): Owner | null {
		return this.#owner;
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
		this.#unsubscribe();
	}
}
