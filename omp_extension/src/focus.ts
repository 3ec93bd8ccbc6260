/** Where the keyboard goes after a pause. A dialog that came or went meanwhile leaves it on a component that is on no screen. */
import type { Component, Screen } from "./screen.ts";

export class FocusRepair {
	/** What holds the prompt editor, or the dialog that stands in for it. */
	#box: Component | null = null;

	constructor(private readonly screen: Screen) {}

	/** To be called whenever the prompt editor may have the keyboard. */
	remember(): void {
		const focused = this.screen.getFocused();
		if (focused && isPromptEditor(focused)) this.#box = parentOf(focused, this.screen.children) ?? this.#box;
	}

	repair(): void {
		if (this.screen.overlayStack.length > 0) return;
		const focused = this.screen.getFocused();
		if (focused && reaches(this.screen.children, focused)) return;
		const inFront = this.#box?.children?.at(-1);
		if (!inFront) return;
		this.screen.setFocus(inFront);
		this.screen.requestRender();
	}
}

/** Class names are minified; this method is the prompt editor's alone. */
function isPromptEditor(component: Component): boolean {
	return "setCustomKeyHandler" in component && typeof component.setCustomKeyHandler === "function";
}

function parentOf(wanted: Component, children: readonly Component[]): Component | null {
	for (const child of children) {
		const within = child.children ?? [];
		if (within.includes(wanted)) return child;
		const deeper = parentOf(wanted, within);
		if (deeper) return deeper;
	}
	return null;
}

function reaches(children: readonly Component[], wanted: Component): boolean {
	return children.some(child => child === wanted || reaches(child.children ?? [], wanted));
}
