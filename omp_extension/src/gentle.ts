/** The gentle pause: the gate is engaged, one line above the prompt editor says so, and the editor stays usable. */
import type { Gate } from "./gate.ts";
import type { WidgetComponent, Widgets } from "./line.ts";
import { type OpenFailure, type PauseScreen, TERMINAL_TAKEN } from "./pausescreen.ts";
import type { Screen } from "./screen.ts";

export interface GentleEffects {
	readonly screen: Screen;
	readonly gate: Gate;
	readonly widgets: Widgets;
	readonly resumeKey: string;
	/** False while another program has the terminal. */
	terminalIsOurs(): boolean;
	nowMs(): number;
}

const KEY = "attention-pause";

export class GentlePause implements PauseScreen {
	#line: PauseLine | null = null;

	constructor(private readonly effects: GentleEffects) {}

	ready(): boolean {
		return true;
	}

	/** Engage the gate and put the line up. Afterwards either both are there or neither. */
	open(): OpenFailure | null {
		if (!this.effects.terminalIsOurs()) return TERMINAL_TAKEN;
		if (!this.effects.gate.take()) return { code: "error", text: "somebody else holds the gate, and no pause screen is known" };
		const line = new PauseLine(this.effects.resumeKey, this.effects.nowMs());
		this.#line = line;
		try {
			this.#put(line);
			return null;
		} catch (error) {
			this.#line = null;
			this.effects.gate.release("line");
			return { code: "error", text: String(error) };
		}
	}

	/** Drawn since it was put up, and in what was last written to the terminal. */
	painted(): boolean {
		const rows = this.#line?.rows ?? null;
		const paint = this.effects.screen.getDebugPaint();
		if (rows === null || paint === undefined || paint.altScreen) return false;
		const written = paint.lines.map(plain);
		return rows.every(row => written.some(line => line.includes(row)));
	}

	up(): boolean {
		return this.#line !== null;
	}

	/** Let go of the gate and take the line away. */
	close(): void {
		this.effects.gate.release("line");
		this.closedByPerson();
	}

	/** The gate is in other hands. */
	closedByPerson(): void {
		if (this.#line === null) return;
		this.#line = null;
		this.effects.widgets.setWidget(KEY, undefined);
	}

	/** Another conversation in the same process takes all widgets away. */
	showAgain(): void {
		if (this.#line) this.#put(this.#line);
	}

	#put(line: PauseLine): void {
		this.effects.widgets.setWidget(KEY, () => line);
	}
}

/** With the time in it, so that it is no line of an earlier pause or of the transcript. In a narrow terminal it takes two rows. */
class PauseLine implements WidgetComponent {
	/** As drawn last; null: not drawn yet. */
	rows: readonly string[] | null = null;
	readonly #paused: string;
	readonly #wayOut: string;

	constructor(resumeKey: string, nowMs: number) {
		this.#paused = `attention: paused since ${new Date(nowMs).toTimeString().slice(0, 8)}`;
		this.#wayOut = `${label(resumeKey)} resumes, your prompts wait`;
	}

	render(width: number): readonly string[] {
		const one = ` ${this.#paused} - ${this.#wayOut}`;
		const drawn = one.length <= width ? [one] : [this.#paused, this.#wayOut].map(row => row.slice(0, width));
		this.rows = drawn;
		return drawn;
	}

	invalidate(): void {}
}

/** `ctrl+alt+r` as people write it. */
function label(key: string): string {
	return key.replaceAll(/(^|\+)[a-z]/g, start => start.toUpperCase());
}

/** Without colours and other marks of the terminal. */
function plain(row: string): string {
	return row.replaceAll(/\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|[\]_P][^\x07\x1b]*(?:\x07|\x1b\\))/g, "");
}
