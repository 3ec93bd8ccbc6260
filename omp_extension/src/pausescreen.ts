/** What a pause screen has to do, whether it is OMP's own (overlay.ts) or a line above the prompt editor (gentle.ts). */

/** Says on the terminal that the agent is paused, together with the gate that it holds. */
export interface PauseScreen {
	ready(): boolean;
	/** Engage the gate for `owner` and show the pause. Afterwards either both are there or neither. */
	open(owner: "overlay" | "person"): OpenFailure | null;
	/** Whether it has been written to the terminal. */
	painted(): boolean;
	/** Whether it is still there, written or not. */
	up(): boolean;
	/** Let go of the gate and take the screen down. */
	close(): void;
	/** The person has ended the pause, and the gate is in other hands. */
	closedByPerson(): void;
}

export type OpenFailure = { readonly code: "not-painted" | "error"; readonly text: string };

export const TERMINAL_TAKEN: OpenFailure = { code: "not-painted", text: "another program has the terminal" };
