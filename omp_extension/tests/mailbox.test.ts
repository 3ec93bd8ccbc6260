import { beforeEach, describe, expect, test } from "bun:test";
import { pauseCommand, settled } from "./fakes.ts";
import { Rig } from "./rig.ts";

let rig: Rig;
beforeEach(() => {
	rig = new Rig();
});

describe("a request", () => {
	test("is acknowledged with what was seen, once the screen is painted", async () => {
		rig.ask({ focus: { attended: 0 } });
		await rig.look();
		expect(rig.gate.paused).toBe(true);
		expect(rig.left).toEqual(["pending.json.1.claim"]);
		await rig.pass(30);
		const ack = JSON.parse(rig.files.read("/box/ack.json") ?? "null");
		expect(ack).toMatchObject({ v: 1, runs: ["focus"], engagement: "1-1", claimed_ms: 1_000_000, shown: "overlay", versions: { agent: "1" } });
		expect(ack.shown_ms).toBeGreaterThanOrEqual(1_000_010);
		expect(rig.mailbox.state).toMatchObject({ state: "paused", by: "request", shown: "overlay", runs: ["focus"], engagement: "1-1" });
		expect(rig.told).toEqual(["publish", "wake paused"]);
		expect(rig.left).toEqual(["ack.json"]);
	});

	test("that the count has overtaken is dropped, and the controller hears the count", async () => {
		rig.attended.focusIn();
		rig.ask({ focus: { attended: 0 } });
		await rig.look();
		expect(rig.gate.paused).toBe(false);
		expect(rig.told).toEqual(["publish", "wake overtaken"]);
		expect(rig.left).toEqual([]);
	});

	test("for a hold that is over is dropped without a word", async () => {
		rig.hold("b-1", { deadline_ms: rig.clock.nowMs });
		rig.ask({ "b-1": {} });
		await rig.look();
		expect(rig.gate.paused).toBe(false);
		expect(rig.told).toEqual([]);
	});

	test("names what stands of it, and every other hold in force", async () => {
		rig.hold("b-1");
		rig.hold("b-2");
		rig.hold("b-3", { deadline_ms: 1 });
		rig.ask({ "b-1": {}, "b-3": {}, focus: { attended: 7 } });
		await rig.look();
		await rig.pass(30);
		expect(rig.mailbox.state.runs).toEqual(["b-1", "b-2"]);
	});

	test("is taken back when the person comes before the acknowledgement, and the controller hears it", async () => {
		rig.ask({ focus: { attended: 0 } });
		await rig.look();
		rig.attended.focusIn();
		await rig.pass(30);
		expect(rig.gate.paused).toBe(false);
		expect(rig.screen.overlayStack).toEqual([]);
		expect(rig.left).toEqual([]);
		expect(rig.told).toEqual(["publish", "wake taken-back"]);
	});

	test("is withdrawn by an empty one", async () => {
		rig.hold("b-1");
		rig.ask({ "b-1": {} });
		await rig.look();
		rig.files.remove("/holds/b-1.json");
		rig.ask({});
		await rig.pass(30);
		expect(rig.gate.paused).toBe(false);
		expect(rig.left).toEqual([]);
	});

	test("that is broken is set aside and reported", async () => {
		rig.files.write("/box/pending.json", "{");
		await rig.look();
		expect(rig.left).toEqual(["pending.json.broken"]);
		expect(String(rig.reported[0])).toContain("pending.json in /box was set aside");
	});

	test("in the second of two mailboxes is carried out too", async () => {
		rig = new Rig([
			{ session: "tmux-1", pane: "%1", box: "/one" },
			{ session: "herdr-1", pane: "w1:p1", box: "/two" },
		]);
		rig.hold("b-1", { scope: [{ session: "herdr-1", pane: "w1:p1" }] });
		rig.ask({ "b-1": {} }, "/two");
		await rig.look();
		await rig.pass(30);
		expect(rig.mailbox.state.runs).toEqual(["b-1"]);
		expect(rig.files.names("/two")).toEqual(["ack.json"]);
	});
});

describe("a screen that does not come up", () => {
	test("is taken back after a second, the request restored, the reason told, and tried again later", async () => {
		rig.screen.ours = false;
		rig.ask({ focus: { attended: 0 } });
		await rig.look();
		await rig.pass(900);
		expect(rig.gate.paused).toBe(true);
		await rig.pass(200);
		expect(rig.gate.paused).toBe(false);
		expect(rig.screen.overlayStack).toEqual([]);
		expect(rig.left).toEqual(["pending.json"]);
		expect(rig.mailbox.state.problem).toMatchObject({ code: "not-painted" });
		expect(rig.said).toEqual([]);
		await rig.look();
		expect(rig.gate.paused).toBe(false);
		rig.screen.ours = true;
		await rig.pass(2_000);
		await rig.look();
		await rig.pass(30);
		expect(rig.mailbox.state).toMatchObject({ state: "paused", problem: null });
	});

	test("is tried again soon also when the wall clock has been set back meanwhile", async () => {
		rig.screen.ours = false;
		rig.ask({ focus: { attended: 0 } });
		await rig.look();
		await rig.pass(1_100);
		expect(rig.mailbox.state.problem).toMatchObject({ code: "not-painted" });
		rig.screen.ours = true;
		rig.clock.setBack(3_600_000);
		await rig.look();
		await rig.pass(30);
		expect(rig.mailbox.state).toMatchObject({ state: "paused", problem: null });
	});

	test("is not tried while another program has the terminal, and at once when it is back", async () => {
		rig.terminalIsOurs = false;
		rig.ask({ focus: { attended: 0 } });
		await rig.look();
		expect(rig.screen.overlayStack).toEqual([]);
		expect(rig.mailbox.state.problem).toMatchObject({ code: "not-painted", text: "another program has the terminal" });
		rig.terminalIsOurs = true;
		rig.mailbox.retryNow();
		await rig.pass(30);
		expect(rig.mailbox.state.state).toBe("paused");
	});

	test("does not put its request over a newer one", async () => {
		rig.screen.ours = false;
		rig.ask({ focus: { attended: 0 } });
		await rig.look();
		rig.ask({});
		await rig.pass(1_100);
		expect(rig.files.read("/box/pending.json")).toBe('{"v":1,"runs":{}}');
		expect(rig.left).toEqual(["pending.json"]);
		await rig.pass(2_000);
		await rig.look();
		expect(rig.mailbox.state).toMatchObject({ state: "running", problem: null });
	});

	test("because it cannot be drawn leaves the gate open", async () => {
		rig.drawBroken = true;
		rig.ask({ focus: { attended: 0 } });
		await rig.look();
		expect(rig.gate.paused).toBe(false);
		expect(rig.screen.overlayStack).toEqual([]);
		expect(rig.mailbox.state.problem).toMatchObject({ code: "error", text: "Error: this screen cannot be drawn" });
	});

	test("tells the same reason once", async () => {
		rig.terminalIsOurs = false;
		rig.ask({ focus: { attended: 0 } });
		await rig.look();
		await rig.pass(2_100);
		await rig.look();
		expect(rig.told).toEqual(["publish"]);
	});
});

describe("the person", () => {
	test("who resumes overrules every hold in force, not only those that paused", async () => {
		rig.hold("b-1");
		rig.ask({ "b-1": {} });
		await rig.look();
		await rig.pass(30);
		rig.hold("b-2");
		await rig.press();
		expect(rig.mailbox.state).toMatchObject({ state: "running", waived: ["b-1", "b-2"], runs: [] });
		expect(rig.attended.count).toBe(2);
		expect(rig.left).toEqual([]);
		expect(rig.said).toEqual(["Resumed after 1s"]);
		rig.ask({ "b-1": {}, "b-2": {} });
		await rig.look();
		expect(rig.gate.paused).toBe(false);
	});

	test("is asked again by a hold that began after the resume, and old ones are forgotten when they are gone", async () => {
		rig.hold("b-1");
		rig.ask({ "b-1": {} });
		await rig.look();
		await rig.pass(30);
		await rig.press();
		rig.files.remove("/holds/b-1.json");
		rig.hold("b-2");
		rig.ask({ "b-2": {} });
		await rig.look();
		await rig.pass(30);
		expect(rig.mailbox.state).toMatchObject({ state: "paused", runs: ["b-2"], waived: [] });
	});

	test("who resumes before the acknowledgement ends the request", async () => {
		rig.hold("b-1");
		rig.ask({ "b-1": {} });
		await rig.look();
		await rig.press();
		await rig.pass(100);
		expect(rig.mailbox.state).toMatchObject({ state: "running", waived: ["b-1"] });
		expect(rig.left).toEqual([]);
	});

	test("who pauses by hand is left alone: requests are dropped and resumes refused", async () => {
		const host = { ui: rig.screen, editor: { setText: () => {} }, sessionName: undefined, showStatus: () => {} };
		void pauseCommand(rig.gate, host);
		await settled();
		await rig.pass(30);
		expect(rig.mailbox.state).toMatchObject({ state: "paused", by: "person", shown: "overlay", runs: [] });
		rig.ask({ focus: { attended: 0 } });
		rig.askResume(rig.mailbox.state.engagement ?? "");
		await rig.look();
		expect(rig.left).toEqual([]);
		expect(rig.gate.paused).toBe(true);
		await rig.press();
		expect(rig.mailbox.state).toMatchObject({ state: "running", by: null });
		expect(rig.attended.count).toBe(2);
	});

	test("may pause by the key, and the pause is theirs", async () => {
		rig.mailbox.pauseByPerson();
		await rig.pass(30);
		expect(rig.mailbox.state).toMatchObject({ state: "paused", by: "person", shown: "overlay", engagement: "1-1" });
		rig.mailbox.pauseByPerson();
		await rig.press();
		expect(rig.mailbox.state.state).toBe("running");
		expect(rig.gate.paused).toBe(false);
	});

	test("is not held by the key where no screen comes up", async () => {
		rig.screen.ours = false;
		rig.mailbox.pauseByPerson();
		await rig.pass(1_100);
		expect(rig.gate.paused).toBe(false);
		expect(rig.mailbox.state).toMatchObject({ state: "running", problem: { code: "not-painted" } });
	});
});

describe("a resume", () => {
	beforeEach(() => rig.paused());

	test("of the current engagement ends the pause, and says so", async () => {
		rig.askResume("1-1");
		await rig.look();
		expect(rig.gate.paused).toBe(false);
		expect(rig.mailbox.state).toMatchObject({ state: "running", waived: [] });
		expect(rig.attended.count).toBe(0);
		expect(rig.left).toEqual([]);
		expect(rig.told.slice(-2)).toEqual(["publish", "wake running"]);
	});

	test("of another engagement is refused", async () => {
		rig.askResume("1-0");
		await rig.look();
		expect(rig.gate.paused).toBe(true);
		expect(rig.left).toEqual(["ack.json"]);
	});

	test("is refused while a hold is in force", async () => {
		rig.hold("b-1");
		rig.askResume("1-1");
		await rig.look();
		expect(rig.gate.paused).toBe(true);
	});

	test("by somebody else than the person closes the screen and overrules nothing", async () => {
		rig.hold("b-1");
		rig.gate.resume();
		await settled();
		expect(rig.screen.overlayStack).toEqual([]);
		expect(rig.mailbox.state).toMatchObject({ state: "running", waived: [] });
		expect(rig.attended.count).toBe(0);
	});
});

describe("a full disk", () => {
	test("leaves nobody paused without an acknowledgement, and loses no request", async () => {
		rig.ask({ focus: { attended: 0 } });
		rig.files.fails = () => true;
		await rig.look();
		await rig.pass(30).catch(() => {});
		expect(rig.gate.paused).toBe(false);
		rig.files.fails = () => false;
		await rig.pass(2_100);
		await rig.look();
		await rig.pass(30);
		expect(rig.mailbox.state.state).toBe("paused");
		expect(rig.left).toEqual(["ack.json"]);
	});
});
