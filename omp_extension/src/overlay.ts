/** OMP's own pause screen, opened by its own pause command with a host of ours, so that the draft in the editor is not touched. */
import type { FocusRepair } from "./focus.ts";
import type { Gate, Owner } from "./gate.ts";
import { guarded } from "./log.ts";
import { type OpenFailure, type PauseScreen, TERMINAL_TAKEN } from "./pausescreen.ts";
import { type Component, type OverlayHandle, type Screen, saysPaused } from "./screen.ts";

/** What the pause command uses of OMP's interactive mode. */
export interface PauseHost {
	readonly ui: Pick<Screen, "showOverlay" | "setFocus" | "requestRender" | "terminal">;
	readonly editor: { setText(text: string): void };
	readonly sessionName: string | undefined;
	showStatus(message: string): void;
}

export interface OverlayEffects {
	readonly screen: Screen;
	readonly gate: Gate;
	readonly focus: FocusRepair;
	/** Runs the pause command; settles when the pause is over. */
	pause(host: PauseHost): Promise<void>;
	/** False while another program has the terminal. */
	terminalIsOurs(): boolean;
	conversationName(): string | undefined;
	showStatus(message: string): void;
	later(ms: number, act: () => void): void;
	/** The pause command has come to its end: another pause may begin. */
	onReady(): void;
	/** The pause command has failed with its screen up; gate and screen are gone. */
	onLost(): void;
	onError(error: unknown): void;
}

/** How long the pause command may take to end after its screen was closed. */
const ENDING_MS = 1_000;

interface Shown {
	readonly owner: Owner;
	readonly component: Component;
	readonly handle: OverlayHandle;
}

export class Overlay implements PauseScreen {
	#shown: Shown | null = null;
	/** The pause command that has not ended yet: as its last act it resumes the gate, which must not hit the next pause. */
	#running: symbol | null = null;

	constructor(private readonly effects: OverlayEffects) {}

	ready(): boolean {
		return this.#running === null;
	}

	/** Engage the gate for `owner` and bring up the screen. Afterwards either both are there or neither. */
	open(owner: Owner): OpenFailure | null {
		if (!this.effects.terminalIsOurs()) return TERMINAL_TAKEN;
		this.effects.focus.remember();
		const attempt = Symbol();
		this.#running = attempt;
		let failure: unknown = "the pause command showed nothing";
		const failed = (error: unknown): void => {
			failure = error;
		};
		const ended = this.effects.gate.as(owner, () => this.#run(owner, failed));
		void ended.then(() => this.#ended(attempt));
		if (this.#shown) {
			// At once: an agent at work would have it wait for its next frame.
			guarded(() => this.effects.screen.requestRender(true), this.effects.onError)();
			return null;
		}
		this.effects.gate.commandEnding = true;
		this.effects.gate.release(owner);
		return { code: "error", text: String(failure) };
	}

	/** On top, with the keyboard, and written to the terminal. */
	painted(): boolean {
		const { screen } = this.effects;
		const component = this.#shown?.component;
		return (
			component !== undefined &&
			screen.overlayStack.at(-1)?.component === component &&
			screen.getFocused() === component &&
			saysPaused(screen)
		);
	}

	/** Whether our screen is still up. A person's resume takes it down before it resumes the gate; nobody else's does. */
	up(): boolean {
		return this.effects.screen.overlayStack.some(entry => entry.component === this.#shown?.component);
	}

	/** Let go of the gate and take the screen down. */
	close(): void {
		const shown = this.#shown;
		if (!shown) return;
		this.#shown = null;
		this.effects.gate.commandEnding = this.#running !== null;
		this.effects.gate.release(shown.owner);
		shown.handle.hide();
		this.effects.focus.repair();
		this.#endCommand(shown.component);
	}

	/** The person has closed the screen. */
	closedByPerson(): void {
		this.#shown = null;
		this.effects.focus.repair();
	}

	#run(owner: Owner, failed: (error: unknown) => void): Promise<void> {
		try {
			return this.effects.pause(this.#host(owner, failed)).catch(failed);
		} catch (error) {
			failed(error);
			return Promise.resolve();
		}
	}

	#host(owner: Owner, failed: (error: unknown) => void): PauseHost {
		const { effects } = this;
		const { screen } = effects;
		return {
			ui: {
				showOverlay: (component, options) => {
					try {
						component.render(screen.terminal.columns); // here a screen that cannot draw costs an attempt; in OMP's paint loop, the process
					} catch (error) {
						failed(error);
						throw error;
					}
					const handle = screen.showOverlay(component, options);
					this.#shown = { owner, component, handle };
					return handle;
				},
				setFocus: component => {
					if (this.#shown?.component === component) screen.setFocus(component);
				},
				requestRender: () => screen.requestRender(),
				get terminal() {
					return screen.terminal;
				},
			},
			editor: { setText: () => {} },
			get sessionName() {
				return effects.conversationName();
			},
			showStatus: message => effects.showStatus(message),
		};
	}

	/** The command waits for a key; without one its clock would tick for ever. The gate is open by now, so it says nothing. */
	#endCommand(component: Component): void {
		const running = this.#running;
		this.effects.later(ENDING_MS, () => this.#ended(running));
		try {
			component.handleInput?.("\r");
		} catch (error) {
			this.effects.onError(error);
		}
	}

	#ended(attempt: symbol | null): void {
		if (attempt === null || this.#running !== attempt) return;
		this.#running = null;
		this.effects.gate.commandEnding = false;
		if (this.#shown) {
			this.close();
			this.effects.onLost();
		}
		this.effects.onReady();
	}
}
