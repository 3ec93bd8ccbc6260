/** Focus reports of the terminal: asked for at the start, and again whenever a program that had the terminal may have ended them. */
import * as fs from "node:fs";
import { guarded, type Report } from "./log.ts";
import type { Screen } from "./screen.ts";

const ON = "\x1b[?1004h";
const OFF = "\x1b[?1004l";

/** A terminal may answer each request with a report at once, so they are repeated seldom. */
const POLLS_BETWEEN = 30;

export class FocusReports {
	#ours = true;
	#polls = 0;

	constructor(
		private readonly screen: Screen,
		private readonly terminalIsOurs: () => boolean,
	) {}

	ask(): void {
		if (this.terminalIsOurs()) this.screen.terminal.write(ON);
	}

	/** To be called regularly: asks again where another program has had the terminal, and now and then in any case. */
	poll(): void {
		const before = this.#ours;
		this.#ours = this.terminalIsOurs();
		this.#polls++;
		if ((this.#ours && !before) || this.#polls % POLLS_BETWEEN === 0) this.ask();
	}

	end(): void {
		this.screen.terminal.write(OFF);
	}

	/**
	 * Another program must not get reports that it has not asked for: some editors take them for keys. OMP tells nobody that it
	 * gives the terminal away, so its method is wrapped. The result takes the wrapping off again.
	 */
	endBeforeStop(report: Report): () => void {
		const { screen } = this;
		const { stop } = screen;
		const end = guarded(() => this.end(), report);
		screen.stop = () => {
			end();
			stop.call(screen);
		};
		return () => {
			screen.stop = stop;
		};
	}

	/** When the process ends nothing is written any more unless it is written at once. */
	static endNow(output: { isTTY?: boolean; fd: number } = process.stdout): void {
		if (!output.isTTY) return;
		try {
			fs.writeSync(output.fd, OFF);
		} catch {
			// The terminal has gone first, as when its window is closed: nothing is left to put right.
		}
	}
}
