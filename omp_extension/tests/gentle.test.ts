/** The gentle pause: one line instead of the pause screen. */
import { beforeEach, expect, test } from "bun:test";
import { RETRY_MS } from "../src/backoff.ts";
import { Gate } from "../src/gate.ts";
import { GentlePause } from "../src/gentle.ts";
import { Dialog, FakeGate, pauseCommand, settled } from "./fakes.ts";
import { Rig } from "./rig.ts";

const DRAFT = "draft 🎉\nsecond line";

let rig: Rig;
beforeEach(() => {
	rig = new Rig();
});

function ack(): Record<string, unknown> | null {
	const text = rig.files.read("/box/ack.json");
	return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}

/** A loop at the gate; how often it has got through. */
function loops(): { through: number } {
	const loop = { through: 0 };
	void rig.gate.park().then(() => loop.through++);
	return loop;
}

test("the gate is engaged, a line says so, and the editor keeps the keyboard", async () => {
	await rig.gentlyPaused();
	expect(rig.gate.paused).toBe(true);
	expect(rig.pauseLine).toMatch(/^ attention: paused since \d\d:\d\d:\d\d - Ctrl\+Alt\+R resumes, your prompts wait$/);
	expect(rig.screen.top).toBeUndefined();
	expect(rig.screen.getFocused()).toBe(rig.screen.editor);
	expect(rig.published).toMatchObject({ state: "paused", by: "request", shown: "line", runs: ["focus"], engagement: "1-1" });
	expect(ack()).toMatchObject({ shown: "line", runs: ["focus"], engagement: "1-1" });
});

test("nothing is acknowledged before the line is written", async () => {
	rig.ask({ focus: { attended: 0 } }, "/box", { show: "line" });
	await rig.look();
	expect(rig.gate.paused).toBe(true);
	expect(rig.mailbox.state.state).toBe("running");
	expect(ack()).toBeNull();
});

test("while another program has the terminal nothing is engaged and the request stays", async () => {
	rig.terminalIsOurs = false;
	await rig.gentlyPaused();
	expect(rig.gate.paused).toBe(false);
	expect(rig.mailbox.state.problem?.code).toBe("not-painted");
	expect(rig.left).toEqual(["pending.json"]);
});

test("where the line does not come to the terminal the gate is let go, and the request given back", async () => {
	rig.screen.ours = false;
	rig.ask({ focus: { attended: 0 } }, "/box", { show: "line" });
	await rig.look();
	await rig.pass(1_500);
	expect(rig.gate.paused).toBe(false);
	expect(rig.pauseLine).toBeUndefined();
	expect(rig.mailbox.state).toMatchObject({ state: "running", problem: { code: "not-painted" } });
	expect(rig.left).toEqual(["pending.json"]);
	rig.screen.ours = true;
	await rig.pass(RETRY_MS);
	await rig.look();
	await rig.pass(30);
	expect(rig.published).toMatchObject({ state: "paused", shown: "line" });
});

test("under a full screen of the agent it is not painted", async () => {
	rig.screen.showOverlay(new Dialog());
	await rig.pass(20);
	rig.ask({ focus: { attended: 0 } }, "/box", { show: "line" });
	await rig.look();
	await rig.pass(1_500);
	expect(rig.gate.paused).toBe(false);
	expect(ack()).toBeNull();
});

test("the line of an earlier pause in the same second counts for nothing", async () => {
	await rig.gentlyPaused();
	rig.mailbox.resumeByPerson();
	rig.screen.ours = false; // what was written last is that line
	rig.clock.nowMs -= 30;
	rig.ask({ focus: { attended: rig.attended.count } }, "/box", { show: "line" });
	await rig.look();
	await rig.pass(300);
	expect(rig.mailbox.state.state).toBe("running");
	expect(ack()).toBeNull();
});

test("in a narrow terminal it takes two rows, and both have to be there", async () => {
	Object.assign(rig.screen.terminal, { columns: 40 });
	await rig.gentlyPaused();
	expect(rig.pauseLine).toMatch(/^attention: paused since [\d:]+,Ctrl\+Alt\+R resumes, your prompts wait$/);
	expect(rig.published).toMatchObject({ state: "paused", shown: "line" });
});

test("what is drawn and not written, or not all of it, or on a full screen, is not painted", async () => {
	await rig.gentlyPaused();
	const row = rig.pauseLine ?? "";
	const painted = (lines: string[], altScreen = false): boolean => {
		rig.screen.getDebugPaint = () => ({ lines, altScreen });
		return rig.gentle.painted();
	};
	expect(painted([`\x1b]8;;x\x07\x1b[1m${row}\x1b[0m`])).toBe(true);
	expect(painted(["something else"])).toBe(false);
	expect(painted([row.replace("paused", "p\x1b[1maused")])).toBe(true);
	expect(painted([row.slice(0, -5)])).toBe(false);
	expect(painted([row], true)).toBe(false);
	Object.assign(rig.screen.terminal, { columns: 40 });
	const [first = "", second = ""] = (rig.pauseLine ?? "").split(",");
	expect(second).not.toBe("");
	expect(painted([first])).toBe(false);
	expect(painted([first, "between", `${second}, your prompts wait`])).toBe(true);
});

test("a gate that somebody held before the start is left to them", () => {
	const gate = new FakeGate();
	gate.paused = true;
	const events = { outside: () => {}, takenFromReflex: () => {}, takenFromLine: () => {} };
	const effects = { screen: rig.screen, widgets: rig.screen, resumeKey: "f11", terminalIsOurs: () => true, nowMs: () => 0 };
	const gentle = new GentlePause({ ...effects, gate: new Gate(gate, events) });
	expect(gentle.open()?.code).toBe("error");
	expect(rig.pauseLine).toBeUndefined();
	expect(gate.paused).toBe(true);
});

test("typing does not end it", async () => {
	await rig.gentlyPaused();
	rig.reflex.key();
	rig.reflex.focusIn();
	await rig.look();
	expect(rig.mailbox.state.state).toBe("paused");
	expect(rig.gate.paused).toBe(true);
});

test("the resume key ends it, proves that the person is here, and waives what is in force", async () => {
	rig.hold("b-1");
	await rig.gentlyPaused();
	const before = rig.attended.count;
	expect(rig.mailbox.resumeByPerson()).toBe(true);
	await settled();
	expect(rig.gate.paused).toBe(false);
	expect(rig.pauseLine).toBeUndefined();
	expect(rig.attended.count).toBe(before + 1);
	expect(rig.mailbox.state).toMatchObject({ state: "running", waived: ["b-1"] });
	expect(rig.left).toEqual([]);
	expect(rig.told.slice(-2)).toEqual(["publish", "wake running"]);
	expect(rig.screen.editor.text).toBe(DRAFT);
});

test("the resume key is a key like any other in front of the pause screen, and without a pause", async () => {
	expect(rig.mailbox.resumeByPerson()).toBe(false);
	await rig.paused();
	expect(rig.mailbox.resumeByPerson()).toBe(false);
	expect(rig.gate.paused).toBe(true);
	await rig.press();
	await rig.gentlyPaused();
	expect(rig.mailbox.resumeByPerson()).toBe(true);
});

test("the resume key is newer than the report of a focus that was lost, and ends in no brake", async () => {
	rig.lease();
	rig.reflex.focusOut();
	await rig.answer("pause");
	await rig.gentlyPaused();
	expect(rig.mailbox.resumeByPerson()).toBe(true);
	await settled();
	expect(rig.gate.paused).toBe(false);
	expect(rig.line).toBeUndefined();
	expect(rig.published).toMatchObject({ state: "running", reflex: { away: false } });
});

test("pressed before the line is seen, it ends the request too", async () => {
	rig.ask({ focus: { attended: 0 } }, "/box", { show: "line" });
	await rig.look();
	expect(rig.mailbox.resumeByPerson()).toBe(true);
	await rig.pass(30);
	expect(rig.gate.paused).toBe(false);
	expect(rig.left).toEqual([]);
});

test("a resume request that names it ends it, unless a hold is in force", async () => {
	await rig.gentlyPaused();
	rig.hold("b-1");
	rig.askResume("1-1");
	await rig.look();
	expect(rig.gate.paused).toBe(true);
	rig.files.remove("/holds/b-1.json");
	rig.askResume("1-1");
	await rig.look();
	expect(rig.gate.paused).toBe(false);
	expect(rig.pauseLine).toBeUndefined();
});

test("who resumes the gate takes the line along, and overrules nothing", async () => {
	rig.hold("b-1");
	await rig.gentlyPaused();
	rig.gate.resume();
	await settled();
	expect(rig.pauseLine).toBeUndefined();
	expect(rig.mailbox.state).toMatchObject({ state: "running", waived: [] });
});

test("what no longer stands when the line is seen is taken back", async () => {
	rig.ask({ focus: { attended: 0 } }, "/box", { show: "line" });
	await rig.look();
	rig.attended.focusIn();
	await rig.pass(30);
	expect(rig.gate.paused).toBe(false);
	expect(rig.pauseLine).toBeUndefined();
	expect(rig.told).toContain("wake taken-back");
});

test("a typed /pause makes it the person's own, with the pause screen, and lets nothing through", async () => {
	await rig.gentlyPaused();
	const loop = loops();
	const host = { ui: rig.screen, editor: { setText: () => {} }, sessionName: undefined, showStatus: () => {} };
	void pauseCommand(rig.gate, host);
	await rig.pass(30);
	expect(loop.through).toBe(0);
	expect(rig.pauseLine).toBeUndefined();
	expect(rig.published).toMatchObject({ state: "paused", by: "person", shown: "overlay", runs: [], engagement: "1-2" });
	expect(rig.left).toEqual([]);
	rig.askResume("1-1");
	await rig.look();
	expect(rig.gate.paused).toBe(true);
});

test("a typed /pause before the line is seen ends the request, too", async () => {
	rig.ask({ focus: { attended: 0 } }, "/box", { show: "line" });
	await rig.look();
	const host = { ui: rig.screen, editor: { setText: () => {} }, sessionName: undefined, showStatus: () => {} };
	void pauseCommand(rig.gate, host);
	await rig.pass(30);
	expect(rig.published).toMatchObject({ state: "paused", by: "person", shown: "overlay" });
	expect(rig.left).toEqual([]);
});

test("the pause key does nothing more: the agent is paused", async () => {
	await rig.gentlyPaused();
	rig.mailbox.pauseByPerson();
	await rig.pass(30);
	expect(rig.published).toMatchObject({ by: "request", shown: "line" });
	expect(rig.screen.top).toBeUndefined();
});

test("a pause of the person's is not turned into a line", async () => {
	rig.mailbox.pauseByPerson();
	await rig.pass(30);
	await rig.gentlyPaused();
	expect(rig.published).toMatchObject({ by: "person", shown: "overlay" });
	expect(rig.pauseLine).toBeUndefined();
});

test("from the brake to the line nothing slips through, and one line stays", async () => {
	rig.lease();
	rig.reflex.focusOut();
	await rig.answer("pause");
	const loop = loops();
	await rig.gentlyPaused();
	expect(loop.through).toBe(0);
	expect(rig.line).toBeUndefined();
	expect(rig.published).toMatchObject({ state: "paused", shown: "line" });
	rig.reflex.focusOut();
	expect(rig.line).toBeUndefined();
	expect(rig.owned.owner).toBe("line");
});

test("a line that does not appear leaves the agent of a person who is away on the brake", async () => {
	rig.lease();
	rig.reflex.focusOut();
	await rig.answer("pause");
	rig.screen.ours = false;
	rig.ask({ focus: { attended: 0 } }, "/box", { show: "line" });
	await rig.look();
	await rig.pass(1_050);
	expect(rig.owned.owner).toBe("brake");
	expect(rig.told).toContain("ask request-ended");
});

test("in strict mode a step asks nothing while the line holds", async () => {
	rig.lease({ mode: "strict" });
	rig.ask({ focus: { attended: 0 } }, "/box", { show: "line" });
	await rig.look();
	rig.reflex.boundary("tool");
	await rig.pass(30);
	rig.reflex.boundary("tool");
	expect(rig.questions).toEqual([]);
	expect(rig.owned.owner).toBe("line");
});

test("while paused another request, also one for the pause screen, changes nothing", async () => {
	await rig.gentlyPaused();
	rig.ask({ focus: { attended: 0 } });
	await rig.look();
	await rig.pass(30);
	expect(rig.published).toMatchObject({ shown: "line", engagement: "1-1" });
	await settled();
	rig.mailbox.resumeByPerson();
	await rig.paused();
	expect(rig.published).toMatchObject({ shown: "overlay" });
});

test("it waits for the end of a pause command whose screen was closed", async () => {
	await rig.paused();
	rig.askResume("1-1");
	rig.mailbox.look();
	rig.ask({ focus: { attended: 0 } }, "/box", { show: "line" });
	rig.mailbox.look();
	expect(rig.gate.paused).toBe(false);
	await settled();
	await rig.pass(50);
	expect(rig.published).toMatchObject({ state: "paused", shown: "line" });
	expect(rig.gate.paused).toBe(true);
});

test("another conversation brings it back", async () => {
	await rig.gentlyPaused();
	rig.screen.widgets.clear();
	rig.gentle.showAgain();
	expect(rig.pauseLine).toContain("attention: paused");
	rig.mailbox.resumeByPerson();
	rig.gentle.showAgain();
	expect(rig.pauseLine).toBeUndefined();
});

test("a terminal interface that takes no line leaves neither gate nor claim", async () => {
	rig.screen.setWidget = () => {
		throw new Error("no widgets");
	};
	await rig.gentlyPaused();
	expect(rig.gate.paused).toBe(false);
	expect(rig.mailbox.state.problem?.code).toBe("error");
	expect(rig.left).toEqual(["pending.json"]);
});
