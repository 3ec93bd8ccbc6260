/** Wake the controller for a session: the resident one by its socket, or else one that runs once. It works on its own; a failure is only logged. */
import { spawn } from "node:child_process";
import type { Dial } from "./controller.ts";
import type { Report } from "./log.ts";

export interface Target {
	readonly host: string;
	readonly address: string;
}

export interface Started {
	onEnd(act: () => void): void;
}

export type Start = (target: Target, trigger: string) => Started;

/** A resident controller accepts a wake-up at once, or is in no state to. */
const ACCEPTS_WITHIN_MS = 1_000;

/** A second runner may start up while the first one works; more would only wait for each other. */
const AT_ONCE = 2;
/** One that hangs must not keep others from starting. */
const COUNTED_MS = 10_000;

/** Wakes that come while enough runners are under way are handed to one more that starts after them, so that none is lost. */
export class Waker {
	readonly #running = new Map<symbol, number>();
	#next: string | null = null;

	constructor(
		private readonly target: Target,
		private readonly start: Start,
		private readonly nowMs: () => number,
		private readonly report: Report,
	) {}

	wake(trigger: string): void {
		if (this.#busy()) this.#next = trigger;
		else this.#start(trigger);
	}

	#busy(): boolean {
		const oldest = this.nowMs() - COUNTED_MS;
		for (const [runner, since] of this.#running) if (since < oldest) this.#running.delete(runner);
		return this.#running.size >= AT_ONCE;
	}

	#start(trigger: string): void {
		this.#next = null;
		const runner = Symbol();
		try {
			const started = this.start(this.target, trigger);
			this.#running.set(runner, this.nowMs());
			started.onEnd(() => this.#ended(runner));
		} catch (error) {
			this.report(error);
		}
	}

	#ended(runner: symbol): void {
		this.#running.delete(runner);
		if (this.#next !== null && !this.#busy()) this.#start(this.#next);
	}
}

export function startRunner(runner: readonly string[], folder: string, report: Report): Start {
	const [program = "", ...given] = runner;
	return (target, trigger) => {
		const options = ["--host", target.host, "--address", target.address, "--trigger", trigger];
		const child = spawn(program, [...given, ...options], { cwd: folder, detached: true, stdio: "ignore", windowsHide: true });
		child.unref();
		return {
			onEnd(act) {
				child.once("error", error => {
					report(error);
					act();
				});
				child.once("exit", act);
			},
		};
	};
}

/** By the socket of the resident controller where there is one, and by `runner` where it does not accept the wake-up. */
export function wakeResident(dial: Dial, runner: Start, report: Report): Start {
	return (target, trigger) => {
		const { promise, resolve } = Promise.withResolvers<void>();
		const runInstead = (): void => {
			try {
				runner(target, trigger).onEnd(resolve);
			} catch (error) {
				report(error);
				resolve();
			}
		};
		dial("wake", { host: target.host, address: target.address, trigger, answer: "no" }, ACCEPTS_WITHIN_MS, {
			line: () => {},
			end: code => (code === 0 ? resolve() : runInstead()),
		});
		return { onEnd: act => void promise.then(act) };
	};
}
