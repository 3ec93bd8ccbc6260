import { beforeEach, expect, test } from "bun:test";
import type { PauseComponent } from "./fakes.ts";
import { Dialog, settled } from "./fakes.ts";
import { Rig } from "./rig.ts";

let rig: Rig;
beforeEach(() => {
	rig = new Rig();
});

test("the draft and the keyboard are as before", async () => {
	await rig.paused();
	await rig.press();
	expect(rig.screen.editor.text).toBe("draft 🎉\nsecond line");
	expect(rig.screen.getFocused()).toBe(rig.screen.editor);
});

test("closing it brings the pause command to its end, silently", async () => {
	await rig.paused();
	const component = rig.screen.top as PauseComponent;
	rig.overlay.close();
	expect(rig.gate.paused).toBe(false);
	expect(rig.overlay.ready()).toBe(false);
	await component.done.promise;
	await settled();
	expect(rig.overlay.ready()).toBe(true);
	expect(rig.said).toEqual([]);
});

test("a request that comes while it closes waits for the command's end, which would else resume it", async () => {
	await rig.paused();
	rig.askResume("1-1");
	rig.mailbox.look();
	rig.ask({ focus: { attended: 0 } });
	rig.mailbox.look();
	expect(rig.gate.paused).toBe(false);
	await settled();
	await rig.pass(50);
	expect(rig.mailbox.state).toMatchObject({ state: "paused", engagement: "1-2" });
	expect(rig.gate.paused).toBe(true);
});

test("a pause command that does not end is given up after a second", async () => {
	await rig.paused();
	(rig.screen.top as PauseComponent).handleInput = () => {};
	rig.overlay.close();
	await rig.pass(900);
	expect(rig.overlay.ready()).toBe(false);
	await rig.pass(200);
	expect(rig.overlay.ready()).toBe(true);
});

test("it does not wait for the next frame of an agent at work", async () => {
	rig.screen.frameMs = 60_000;
	await rig.paused();
	expect(rig.overlay.painted()).toBe(true);
});

test("it is not painted while something is on top of it", async () => {
	await rig.paused();
	expect(rig.overlay.painted()).toBe(true);
	rig.screen.showOverlay(new Dialog());
	expect(rig.overlay.painted()).toBe(false);
});

test("a dialog that goes away under it does not keep the keyboard", async () => {
	rig.screen.replaceEditor(new Dialog());
	await rig.paused();
	rig.screen.replaceEditor(null);
	await rig.press();
	expect(rig.screen.getFocused()).toBe(rig.screen.editor);
});

test("a dialog that comes under it has the keyboard afterwards", async () => {
	await rig.paused();
	const dialog = new Dialog();
	rig.screen.replaceEditor(dialog);
	await rig.press();
	expect(rig.screen.getFocused()).toBe(dialog);
});

test("a screen that fails while it is up lets go, and the agent does not say paused", async () => {
	await rig.paused();
	(rig.screen.top as PauseComponent).done.reject(new Error("broken"));
	await settled();
	expect(rig.gate.paused).toBe(false);
	expect(rig.mailbox.state.state).toBe("running");
});
