/** Tool calls in flight, of the main agent and of the subagents that run in this process. */
import type { Call } from "./documents.ts";

export class Calls {
	readonly #running = new Map<string, Call>();

	/** `onChange` hears of every start and end. */
	constructor(private readonly onChange: () => void = () => {}) {}

	get list(): Call[] {
		return [...this.#running.values()];
	}

	started(agent: number, id: string, name: string, nowMs: number): void {
		this.#running.set(`${agent} ${id}`, { name, since_ms: nowMs });
		this.onChange();
	}

	ended(agent: number, id: string): void {
		if (this.#running.delete(`${agent} ${id}`)) this.onChange();
	}

	/** An agent that has come to its end has nothing in flight, whatever became of its last events. */
	endedAll(agent: number): void {
		for (const key of [...this.#running.keys()]) if (key.startsWith(`${agent} `)) this.#running.delete(key);
	}
}
