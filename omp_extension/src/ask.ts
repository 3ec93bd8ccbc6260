/** The question of the reflex: may this agent go on? Put to the controller for every pane that this process may be in. */
import { type Dial, valuesOf } from "./controller.ts";
import type { Seat } from "./session.ts";

export type Verdict = "run" | "pause" | "unknown";

/** null: no answer will come. */
export type Answered = (verdict: Verdict | null) => void;

/** An answer that comes after the reflex has given up still says that the controller is there. */
const LISTENS_MS = 5_000;

export class Asker {
	constructor(
		private readonly dial: Dial,
		private readonly seats: readonly Pick<Seat, "host" | "address" | "pane">[],
		private readonly pid: number,
	) {}

	/** `answered` is called once. */
	ask(question: number, event: string, answered: Answered): void {
		const said: (Verdict | null)[] = [];
		let settled = false;
		for (const seat of this.seats) {
			this.#askOne(seat, question, event, verdict => {
				said.push(verdict);
				if (settled || (verdict !== "pause" && said.length < this.seats.length)) return;
				settled = true;
				answered(combined(said));
			});
		}
	}

	#askOne(seat: Pick<Seat, "host" | "address" | "pane">, question: number, event: string, answered: Answered): void {
		let verdict: Verdict | null = null;
		const { host, address, pane } = seat;
		this.dial("ask", { host, address, pane, pid: this.pid, question, event }, LISTENS_MS, {
			line: text => {
				verdict = parseAnswer(text, question) ?? verdict;
			},
			end: code => answered(code === 0 ? verdict : null),
		});
	}
}

export function parseAnswer(line: string, question: number): Verdict | null {
	const [word, verdict, ...rest] = line.split(" ");
	if (word !== "answer" || valuesOf(rest).get("question") !== String(question)) return null;
	return verdict === "run" || verdict === "pause" || verdict === "unknown" ? verdict : null;
}

/** Of a multiplexer inside another one both are asked, and only one of them knows the pane. */
function combined(said: readonly (Verdict | null)[]): Verdict | null {
	for (const verdict of ["pause", "run", "unknown"] as const) if (said.includes(verdict)) return verdict;
	return null;
}
