/** OMP, the disk and the clock, as far as the protocol meets them: all in memory, nothing by itself. */
import type { AgentGate } from "../src/gate.ts";
import type { Files } from "../src/files.ts";
import type { WidgetComponent, Widgets } from "../src/line.ts";
import type { PauseHost } from "../src/overlay.ts";
import type { Component, OverlayHandle, Paint, Screen } from "../src/screen.ts";

/** Repeatable chance. */
export class Random {
	#state: number;

	constructor(seed: number) {
		this.#state = seed >>> 0;
	}

	/** 0 <= x < 1 (mulberry32). */
	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		let t = this.#state;
		t = Math.imul(t ^ (t >>> 15), t | 1);
		t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
		return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	pick<T>(from: readonly T[]): T {
		return from[Math.floor(this.next() * from.length)] as T;
	}
}

export class Clock {
	nowMs = 1_000_000;
	/** What a timer threw; the extension's own wrapping is what the world checks elsewhere. */
	onError: (error: unknown) => void = error => {
		throw error;
	};
	readonly #timers: { atMs: number; act: () => void }[] = [];

	readonly later = (ms: number, act: () => void): void => {
		this.#timers.push({ atMs: this.nowMs + ms, act });
	};

	get nextMs(): number | null {
		return this.#timers.length > 0 ? Math.min(...this.#timers.map(timer => timer.atMs)) : null;
	}

	/** What a time server or a person does: the time is another one, and timers run when they would have. */
	setBack(ms: number): void {
		this.nowMs -= ms;
		for (const timer of this.#timers) timer.atMs -= ms;
	}

	/** Run the timer that is due first; time does not go back. */
	step(): void {
		const next = this.nextMs;
		const timer = this.#timers.find(({ atMs }) => atMs === next);
		if (!timer) return;
		this.#timers.splice(this.#timers.indexOf(timer), 1);
		this.nowMs = Math.max(this.nowMs, timer.atMs);
		try {
			timer.act();
		} catch (error) {
			this.onError(error);
		}
	}
}

export class DiskFull extends Error {}

export class MemoryFiles implements Files {
	readonly all = new Map<string, string>();
	/** Asked before each change; a disk that is full says yes. */
	fails: (file: string) => boolean = () => false;

	read(file: string): string | null {
		return this.all.get(file) ?? null;
	}

	write(file: string, text: string): void {
		this.#change(file);
		this.all.set(file, text);
	}

	rename(from: string, to: string): boolean {
		const text = this.all.get(from);
		if (text === undefined) return false;
		this.all.delete(from);
		this.all.set(to, text);
		return true;
	}

	moveIfFree(from: string, to: string): boolean {
		if (this.all.has(to)) return false;
		this.#change(to);
		return this.rename(from, to);
	}

	remove(file: string): void {
		this.all.delete(file);
	}

	removeTree(folder: string): void {
		for (const file of [...this.all.keys()]) if (file.startsWith(`${folder}/`)) this.all.delete(file);
	}

	makeFolder(): void {}

	names(folder: string): string[] {
		return [...this.all.keys()].filter(file => file.startsWith(`${folder}/`)).map(file => file.slice(folder.length + 1));
	}

	#change(file: string): void {
		if (this.fails(file)) throw new DiskFull(`no space left: ${file}`);
	}
}

/** OMP's gate with its rule for parked loops: whoever is woken looks again, and parks again where the gate is engaged anew. */
export class FakeGate implements AgentGate {
	paused = false;
	#resumed = Promise.withResolvers<void>();
	readonly #listeners = new Set<(paused: boolean) => void>();

	pause(): boolean {
		if (this.paused) return false;
		this.#change(true);
		return true;
	}

	resume(): number | undefined {
		if (!this.paused) return undefined;
		const parked = this.#resumed;
		this.#resumed = Promise.withResolvers();
		parked.resolve();
		this.#change(false);
		return 1;
	}

	async park(): Promise<void> {
		while (this.paused) await this.#resumed.promise;
	}

	onChange(listener: (paused: boolean) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	#change(paused: boolean): void {
		this.paused = paused;
		for (const listener of this.#listeners) listener(paused);
	}
}

export class Box implements Component {
	constructor(public children: Component[]) {}

	render(): string[] {
		return [];
	}
}

export class Editor implements Component {
	text = "draft 🎉\nsecond line";
	setCustomKeyHandler(): void {}

	render(): string[] {
		return [this.text];
	}
}

export class Dialog implements Component {
	render(): string[] {
		return ["dialog"];
	}
}

/** The terminal interface with OMP's rules for overlays and the keyboard. */
export class FakeScreen implements Screen, Widgets {
	/** What stands above the prompt editor, by key. */
	readonly widgets = new Map<string, string[] | WidgetComponent>();
	readonly overlayStack: { component: Component; preFocus: Component | null }[] = [];
	readonly editor = new Editor();
	readonly box = new Box([this.editor]);
	readonly children = [new Box([]), this.box];
	readonly written: string[] = [];
	readonly terminal = { rows: 30, columns: 100, write: (data: string) => void this.written.push(data) };
	/** False while another program has the terminal: nothing is painted. */
	ours = true;
	/** How long a frame that is not asked for at once may take: an agent at work paints only so often. */
	frameMs = 10;
	#focused: Component | null = this.editor;
	#paint: Paint | undefined;

	constructor(private readonly later: (ms: number, act: () => void) => void) {}

	get top(): Component | undefined {
		return this.overlayStack.at(-1)?.component;
	}

	getFocused(): Component | null {
		return this.#focused;
	}

	setFocus(component: Component | null): void {
		this.#focused = this.top ?? component;
	}

	showOverlay(component: Component): OverlayHandle {
		const entry = { component, preFocus: this.#focused };
		this.overlayStack.push(entry);
		this.setFocus(component);
		this.requestRender();
		return { hide: () => this.#hide(entry) };
	}

	requestRender(force = false): void {
		this.later(force ? 10 : this.frameMs, () => {
			if (this.ours) this.#paint = { lines: this.#draw(this.terminal.columns), altScreen: this.top !== undefined };
		});
	}

	setWidget(key: string, content: string[] | (() => WidgetComponent) | undefined): void {
		this.widgets.delete(key);
		if (content !== undefined) this.widgets.set(key, typeof content === "function" ? content() : content);
		this.requestRender();
	}

	/** What a widget would show now. */
	widget(key: string): string | undefined {
		const content = this.widgets.get(key);
		return content === undefined ? undefined : this.#rows(content, this.terminal.columns).join();
	}

	#draw(width: number): string[] {
		if (this.top) return [...this.top.render(width)];
		const rows = [...this.widgets.values()].flatMap(widget => this.#rows(widget, width));
		return [...rows.map(row => `\x1b[38;5;244m${row}\x1b[0m`), ...this.editor.render()];
	}

	#rows(widget: string[] | WidgetComponent, width: number): readonly string[] {
		return Array.isArray(widget) ? widget : widget.render(width);
	}

	getDebugPaint(): Paint | undefined {
		return this.#paint;
	}

	stop(): void {
		this.written.push("stopped");
	}

	addInputListener(): () => void {
		return () => {};
	}

	/** A dialog takes the prompt editor's place, or gives it back. */
	replaceEditor(dialog: Component | null): void {
		this.box.children = [dialog ?? this.editor];
		this.setFocus(dialog ?? this.editor);
	}

	#hide(entry: (typeof this.overlayStack)[number]): void {
		const at = this.overlayStack.indexOf(entry);
		if (at < 0) return;
		this.overlayStack.splice(at, 1);
		if (this.#focused === entry.component) this.#focused = this.top ?? entry.preFocus;
		this.requestRender();
	}
}

export class PauseComponent implements Component {
	readonly done = Promise.withResolvers<void>();

	constructor(private readonly broken: boolean) {}

	render(): string[] {
		if (this.broken) throw new Error("this screen cannot be drawn");
		return ["", "P A U S E D", "paused for 0:00"];
	}

	handleInput(data: string): void {
		if (data === "\r") this.done.resolve();
	}
}

/** OMP's pause command: engages, shows, waits for the key, and lets go whatever happens. */
export async function pauseCommand(gate: FakeGate, host: PauseHost, broken = false): Promise<void> {
	host.editor.setText("");
	if (!gate.pause()) return;
	const component = new PauseComponent(broken);
	const handle = host.ui.showOverlay(component, { fullscreen: true });
	try {
		host.ui.setFocus(component);
		await component.done.promise;
	} finally {
		host.ui.setFocus(component);
		handle.hide();
		if (gate.resume() !== undefined) host.showStatus("Resumed after 1s");
	}
}

/** Let everything run that a finished step has set off at once. */
export async function settled(): Promise<void> {
	for (let turn = 0; turn < 12; turn++) await Promise.resolve();
}
