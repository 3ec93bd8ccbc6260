/** The one line that says that the reflex holds this agent: a widget above the prompt editor, which takes no focus and touches no draft. */
import type { ReflexOwner } from "./gate.ts";
import type { Component } from "./screen.ts";

export interface Widgets {
	setWidget(key: string, content: string[] | (() => WidgetComponent) | undefined): void;
}

export interface WidgetComponent extends Component {
	render(width: number): readonly string[];
	invalidate(): void;
}

const KEY = "attention-brake";
const TEXTS: Readonly<Record<ReflexOwner, string>> = {
	brake: "attention: held, because this pane has lost the focus. Any key here lets it go.",
	boundary: "attention: held before its next step. Any key here lets it go.",
};

export class BrakeLine {
	#shown: ReflexOwner | null = null;

	constructor(private readonly widgets: Widgets) {}

	show(owner: ReflexOwner): void {
		if (this.#shown === owner) return;
		this.#shown = owner;
		this.widgets.setWidget(KEY, [TEXTS[owner]]);
	}

	hide(): void {
		if (this.#shown === null) return;
		this.#shown = null;
		this.widgets.setWidget(KEY, undefined);
	}

	/** Another conversation in the same process takes all widgets away. */
	showAgain(): void {
		if (this.#shown) this.widgets.setWidget(KEY, [TEXTS[this.#shown]]);
	}
}
