/** OMP's terminal interface, as far as it is used here. */

export interface Component {
	render(width: number): readonly string[];
	handleInput?(data: string): void;
	readonly children?: readonly Component[];
}

export interface OverlayHandle {
	hide(): void;
}

export interface Paint {
	readonly lines: readonly string[];
	readonly altScreen: boolean;
}

export interface Screen {
	readonly overlayStack: readonly { readonly component: Component }[];
	readonly children: readonly Component[];
	readonly terminal: { readonly rows: number; readonly columns: number; write(data: string): void };
	getFocused(): Component | null;
	setFocus(component: Component | null): void;
	showOverlay(component: Component, options?: object): OverlayHandle;
	/** `force`: with the next turn of the event loop; else OMP paints every 33 ms at most (pi-tui, tui.ts, MIN_RENDER_INTERVAL_MS). */
	requestRender(force?: boolean): void;
	/** Called before the terminal is given to another program, and at the end. */
	stop(): void;
	getDebugPaint(): Paint | undefined;
	addInputListener(listener: (data: string) => { consume?: boolean } | undefined): () => void;
	addStartListener?(listener: () => void): () => void;
}

const TITLE = "P A U S E D";

export function saysPaused(screen: Screen): boolean {
	const paint = screen.getDebugPaint();
	return paint?.altScreen === true && paint.lines.some(line => line.includes(TITLE));
}
