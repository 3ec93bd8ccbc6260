import { beforeEach, describe, expect, test } from "bun:test";
import { settled } from "./fakes.ts";
import type { Lease } from "../src/lease.ts";
import { SILENCES, Silences } from "../src/silences.ts";
import { Rig } from "./rig.ts";

let rig: Rig;
beforeEach(() => {
	rig = new Rig();
	rig.lease();
});

describe("a lost focus", () => {
	test("engages the gate at once, says so on the screen and in the status file, and only then asks", () => {
		rig.reflex.focusOut();
		expect(rig.gate.paused).toBe(true);
		expect(rig.line).toContain("this pane has lost the focus");
		expect(rig.published).toMatchObject({ state: "braked", shown: "line", by: null, reflex: { mode: "brake", reports: true, away: true, silent: 0, since_ms: 1_000_000 } });
		expect(rig.told).toEqual(["publish braked", "ask focus-out"]);
	});

	for (const verdict of ["run", "unknown"] as const) {
		test(`lets go at the answer ${verdict}`, async () => {
			rig.reflex.focusOut();
			await rig.answer(verdict);
			expect(rig.gate.paused).toBe(false);
			expect(rig.line).toBeUndefined();
			expect(rig.published).toMatchObject({ state: "running", shown: null });
			expect(rig.told).toEqual(["publish braked", "ask focus-out", "publish running"]);
		});
	}

	test("stays braked at the answer pause, until the request brings up the pause screen", async () => {
		rig.reflex.focusOut();
		await rig.answer("pause");
		expect(rig.gate.paused).toBe(true);
		let started = 0;
		void rig.gate.park().then(() => started++);
		rig.ask({ focus: { attended: 0 } });
		await rig.look();
		expect(rig.owned.owner).toBe("overlay");
		expect(rig.line).toBeUndefined();
		await rig.pass(30);
		expect(rig.published).toMatchObject({ state: "paused", by: "request", runs: ["focus"], shown: "overlay" });
		expect(started).toBe(0);
		await rig.press();
		expect(started).toBe(1);
	});

	test("asks anew each time, and an answer to an older question counts for nothing", async () => {
		rig.reflex.focusOut();
		rig.reflex.focusIn();
		rig.reflex.focusOut();
		expect(rig.published).toMatchObject({ reflex: { since_ms: 1_000_000 } });
		expect(rig.questions.map(({ question }) => question)).toEqual([1, 2]);
		await rig.answer("run", 0);
		expect(rig.gate.paused).toBe(true);
		rig.reflex.focusOut();
		await rig.answer("run", 1);
		expect(rig.gate.paused).toBe(true);
		await rig.answer("run", 2);
		expect(rig.gate.paused).toBe(false);
	});

	test("is told and not acted on where nothing is allowed", () => {
		rig.lease({ mode: "off" });
		rig.reflex.focusOut();
		expect(rig.gate.paused).toBe(false);
		expect(rig.told).toEqual(["publish running"]);
		expect(rig.published["reflex"]).toEqual({ mode: "off", reports: true, away: true, silent: 0 });
	});

	test("is not acted on while another program has the terminal: nothing could say so", () => {
		rig.terminalIsOurs = false;
		rig.reflex.focusOut();
		expect(rig.gate.paused).toBe(false);
	});

	test("is undone when another program gets the terminal, and with it the line", async () => {
		rig.reflex.focusOut();
		await rig.answer("pause");
		rig.terminalIsOurs = false;
		await rig.pass(600);
		expect(rig.gate.paused).toBe(false);
	});

	test("under a pause changes nothing", async () => {
		await rig.paused();
		rig.reflex.focusOut();
		expect(rig.owned.owner).toBe("overlay");
		expect(rig.questions).toEqual([]);
	});

	test("while a request is being carried out asks all the same, and the answer opens nothing", async () => {
		rig.ask({ focus: { attended: 0 } });
		await rig.look();
		rig.reflex.focusOut();
		expect(rig.questions).toHaveLength(1);
		await rig.answer("run");
		expect(rig.gate.paused).toBe(true);
	});
});

describe("the person", () => {
	test("who comes back is let go on at once, and what was asked no longer counts", async () => {
		rig.reflex.focusOut();
		rig.reflex.focusIn();
		expect(rig.gate.paused).toBe(false);
		expect(rig.line).toBeUndefined();
		expect(rig.attended.count).toBe(1);
		await rig.answer("pause");
		expect(rig.gate.paused).toBe(false);
		expect(rig.told.at(-1)).toBe("publish running");
	});

	test("lets go with any key, which counts as being here", () => {
		rig.reflex.focusOut();
		rig.reflex.key();
		expect(rig.gate.paused).toBe(false);
		expect(rig.attended.count).toBe(1);
		expect(rig.published).toMatchObject({ reflex: { away: false } });
	});

	test("may pause while the agent is braked, and the pause is theirs", async () => {
		let started = 0;
		rig.reflex.focusOut();
		void rig.gate.park().then(() => started++);
		rig.gate.pause(); // as OMP's own command does
		await settled();
		expect(rig.owned.owner).toBe("person");
		expect(rig.published).toMatchObject({ state: "paused", by: "person" });
		expect(rig.line).toBeUndefined();
		await rig.answer("run");
		expect(rig.gate.paused).toBe(true);
		expect(started).toBe(0);
	});

	test("may pause by the key while the agent is braked", async () => {
		rig.reflex.focusOut();
		rig.mailbox.pauseByPerson();
		await rig.pass(30);
		expect(rig.published).toMatchObject({ state: "paused", by: "person", shown: "overlay" });
	});

	test("is told when somebody else resumes the gate", () => {
		rig.reflex.focusOut();
		rig.gate.resume();
		expect(rig.line).toBeUndefined();
		expect(rig.told).toEqual(["publish braked", "ask focus-out", "publish"]);
		expect(rig.published).toMatchObject({ state: "running" });
		expect(rig.attended.count).toBe(0);
	});
});

describe("no answer", () => {
	test("within the bound lets go, is counted, told, and handed to another controller", async () => {
		rig.reflex.focusOut();
		await rig.pass(249);
		expect(rig.gate.paused).toBe(true);
		await rig.pass(12);
		expect(rig.gate.paused).toBe(false);
		expect(rig.published).toMatchObject({ state: "running", problem: { code: "unanswered" }, reflex: { silent: 1 } });
		expect(rig.told.slice(2)).toEqual(["publish running", "wake unanswered"]);
		expect(rig.reported).toHaveLength(1);
	});

	test("is no problem any more of an agent that was paused all the same", async () => {
		rig.reflex.focusOut();
		await rig.pass(300);
		await rig.paused();
		expect(rig.published).toMatchObject({ state: "paused", problem: null });
	});

	test("because the connection broke lets go at once", async () => {
		rig.reflex.focusOut();
		await rig.answer(null);
		expect(rig.gate.paused).toBe(false);
		await rig.pass(1_000);
		rig.reflex.focusIn();
		expect(rig.published).toMatchObject({ problem: { code: "unanswered" }, reflex: { silent: 1 } });
	});

	async function silences(times: number): Promise<void> {
		for (let time = 0; time < times; time++) {
			rig.reflex.focusOut();
			await rig.pass(300);
		}
	}

	test("three times in a row switches the reflex off", async () => {
		await silences(3);
		rig.reflex.focusOut();
		expect(rig.gate.paused).toBe(false);
		expect(rig.published["reflex"]).toMatchObject({ mode: "off", silent: 3 });
		rig.lease({ until_ms: rig.clock.nowMs + 20_000 });
		rig.reflex.focusOut();
		expect(rig.gate.paused).toBe(false);
	});

	test("switches nothing off for the controller that has taken its place", async () => {
		rig.lease({ controller: "1-1" });
		await silences(3);
		rig.lease({ controller: "1-1" });
		rig.reflex.focusOut();
		expect(rig.gate.paused).toBe(false);
		rig.lease({ controller: "2-1" });
		rig.reflex.focusOut();
		expect(rig.gate.paused).toBe(true);
	});

	test("switches it on again when the lease is renewed later, on trial", async () => {
		await silences(3);
		await rig.pass(5_000);
		rig.reflex.focusOut();
		expect(rig.gate.paused).toBe(false);
		rig.lease();
		rig.reflex.focusOut();
		expect(rig.gate.paused).toBe(true);
		await rig.pass(300);
		expect(rig.published["reflex"]).toMatchObject({ mode: "off", silent: 4 });
	});

	test("that comes too late still says that the controller is there", async () => {
		await silences(3);
		await rig.answer("run");
		expect(rig.gate.paused).toBe(false);
		expect(rig.published).toMatchObject({ problem: null, reflex: { mode: "brake", silent: 0 } });
	});

	test("but a pause in the end, puts the brake on again while the person is away", async () => {
		rig.reflex.focusOut();
		await rig.pass(300);
		await rig.answer("pause");
		expect(rig.owned.owner).toBe("brake");
		expect(rig.line).toBeDefined();
		expect(rig.questions).toHaveLength(1);
		expect(rig.published).toMatchObject({ state: "braked", problem: null });
		await rig.pass(2_000);
		expect(rig.questions).toHaveLength(2);
	});

	const old: [string, () => unknown][] = [
		["the person is back", () => rig.reflex.focusIn()],
		["another question is open", () => (rig.reflex.focusOut(), rig.answer("run"))],
		["the person has paused and resumed", () => (rig.gate.pause(), rig.reflex.key(), rig.gate.resume())],
		["another program has the terminal", () => (rig.terminalIsOurs = false)],
		["the lease is gone", () => rig.files.remove("/reflex.json")],
	];
	for (const [what, happens] of old) {
		test(`or a pause that comes when ${what}, changes nothing`, async () => {
			rig.reflex.focusOut();
			await rig.pass(300);
			await happens();
			await rig.answer("pause", 0);
			await settled();
			expect(rig.gate.paused).toBe(false);
			expect(rig.line).toBeUndefined();
		});
	}

	test("or a pause that comes when the person was back and has left again, unasked, changes nothing", async () => {
		await silences(3);
		rig.reflex.focusIn();
		rig.reflex.focusOut();
		expect(rig.questions).toHaveLength(3);
		await rig.answer("pause");
		expect(rig.gate.paused).toBe(false);
	});

	test("about a boundary, or a pause that comes too late, changes nothing for a person who is here", async () => {
		rig.lease({ mode: "strict" });
		rig.reflex.boundary("tool:bash");
		await rig.pass(300);
		await rig.answer("pause");
		expect(rig.gate.paused).toBe(false);
	});
});

describe("the answer pause without a request", () => {
	test("is asked about again, and after three times the agent goes on and says why", async () => {
		rig.lease({ until_ms: rig.clock.nowMs + 59_000 });
		rig.reflex.focusOut();
		for (const asked of [1, 2, 3]) {
			expect(rig.questions).toHaveLength(asked);
			await rig.answer("pause");
			expect(rig.gate.paused).toBe(true);
			await rig.pass(2_000);
		}
		expect(rig.gate.paused).toBe(false);
		expect(rig.published).toMatchObject({ state: "running", problem: { code: "no-request" } });
		expect(rig.line).toBeUndefined();
	});

	test("is asked about once while a request waits to be taken out", async () => {
		rig.lease({ until_ms: rig.clock.nowMs + 59_000 });
		rig.reflex.focusOut();
		await rig.answer("pause");
		rig.ask({ focus: { attended: 0 } });
		await rig.pass(20_000);
		expect(rig.gate.paused).toBe(true);
		expect(rig.questions).toHaveLength(1);
	});

	test("but with one that waits for its turn stays braked", async () => {
		rig.lease({ until_ms: rig.clock.nowMs + 59_000 });
		rig.drawBroken = true;
		rig.reflex.focusOut();
		await rig.answer("pause");
		rig.ask({ focus: { attended: 0 } });
		for (let look = 0; look < 5; look++) {
			await rig.look();
			if (rig.questions.at(-1)?.event === "request-ended") await rig.answer("pause");
			await rig.pass(2_000);
			expect(rig.gate.paused).toBe(true);
		}
		expect(rig.line).toBeDefined();
		expect(rig.published).toMatchObject({ state: "braked", problem: { code: "error" } });
		rig.drawBroken = false;
		await rig.look();
		await rig.pass(30);
		expect(rig.published).toMatchObject({ state: "paused", by: "request", problem: null });
	});
});

describe("a request that came to nothing", () => {
	test("because it was not painted puts the brake on again in the same tick, with a new question", async () => {
		rig.screen.ours = false;
		rig.reflex.focusOut();
		await rig.answer("pause");
		let started = 0;
		void rig.gate.park().then(() => started++);
		rig.ask({ focus: { attended: 0 } });
		await rig.look();
		expect(rig.owned.owner).toBe("overlay");
		await rig.pass(1_100);
		expect(rig.owned.owner).toBe("brake");
		expect(rig.line).toBeDefined();
		expect(rig.questions.map(({ event }) => event)).toEqual(["focus-out", "request-ended"]);
		expect(started).toBe(0);
	});

	test("because it was taken back puts the brake on again while the person is away", async () => {
		rig.hold("b-1");
		rig.reflex.focusOut();
		await rig.answer("pause");
		rig.ask({ "b-1": {} });
		await rig.look();
		rig.files.remove("/holds/b-1.json");
		await rig.pass(30);
		expect(rig.owned.owner).toBe("brake");
		expect(rig.questions).toHaveLength(2);
		await rig.answer("run");
		expect(rig.gate.paused).toBe(false);
	});

	test("because the person is here leaves the agent running", async () => {
		rig.reflex.focusOut();
		rig.ask({ focus: { attended: 0 } });
		await rig.look();
		rig.reflex.focusIn();
		await rig.pass(30);
		expect(rig.gate.paused).toBe(false);
		expect(rig.questions).toHaveLength(1);
	});

	test("because its break is over before it was taken out is asked about again", async () => {
		rig.reflex.focusOut();
		await rig.answer("pause");
		rig.ask({ "b-1": {} });
		await rig.look();
		expect(rig.questions.map(({ event }) => event)).toEqual(["focus-out", "request-ended"]);
	});
});

describe("a window that is not in front", () => {
	test("is told to the controller where it counts, also if the agent does not brake", () => {
		rig.lease({ mode: "off", away: "pause" });
		rig.reflex.focusOut();
		rig.reflex.focusOut();
		expect(rig.told).toEqual(["publish running", "wake away"]);
	});

	test("is told to nobody where it does not count, or nobody says so any more", () => {
		rig.lease({ mode: "off" });
		rig.reflex.focusOut();
		rig.reflex.focusIn();
		rig.lease({ mode: "off", away: "pause", until_ms: rig.clock.nowMs });
		rig.reflex.focusOut();
		expect(rig.told.filter(what => what.startsWith("wake"))).toEqual([]);
	});
});

describe("the lease", () => {
	test("that runs out while the agent is braked lets it go within a second, and that is told", async () => {
		rig.lease({ until_ms: rig.clock.nowMs + 1_200 });
		rig.reflex.focusOut();
		await rig.answer("pause");
		await rig.pass(1_100);
		expect(rig.gate.paused).toBe(true);
		await rig.pass(1_000);
		expect(rig.gate.paused).toBe(false);
		expect(rig.published).toMatchObject({ state: "running", problem: { code: "lease-over" } });
		expect(String(rig.reported[0])).toContain("lease-over");
		expect(rig.told.slice(-2)).toEqual(["publish running", "wake lease-over"]);
		rig.reflex.focusIn();
		expect(rig.told.at(-1)).toBe("publish running");
		expect(rig.published).toMatchObject({ problem: null });
	});

	const none: [string, () => void][] = [
		["absent", () => rig.files.remove("/reflex.json")],
		["broken", () => rig.files.write("/reflex.json", "{")],
		["over", () => rig.lease({ until_ms: rig.clock.nowMs })],
		["longer than any controller gives", () => rig.lease({ until_ms: rig.clock.nowMs + 60_001 })],
		["of a mode that is not known", () => rig.lease({ mode: "other" })],
		["of another version", () => rig.lease({ v: 2 })],
	];
	for (const [what, make] of none) {
		test(`that is ${what} allows nothing`, () => {
			make();
			rig.reflex.focusOut();
			expect(rig.gate.paused).toBe(false);
			expect(rig.questions).toEqual([]);
		});
	}

	test("that comes or goes is told by the next poll, once a report was seen", () => {
		rig.reflex.poll();
		expect(rig.told).toEqual([]);
		rig.reflex.focusIn();
		rig.reflex.poll();
		rig.reflex.poll();
		expect(rig.told).toEqual(["publish running"]);
		rig.files.remove("/reflex.json");
		rig.reflex.poll();
		expect(rig.told).toHaveLength(2);
		expect(rig.published).toMatchObject({ reflex: { mode: "off" } });
	});

	test("costs no timer before the first report, and none when the agent is let go", async () => {
		expect(rig.clock.nextMs).toBeNull();
		rig.reflex.key();
		expect(rig.clock.nextMs).toBeNull();
		rig.reflex.focusOut();
		rig.reflex.focusIn();
		await rig.pass(1_000);
		expect(rig.clock.nextMs).toBeNull();
	});
});

describe("a boundary", () => {
	beforeEach(() => rig.lease({ mode: "strict" }));

	test("is nothing in the mode brake", () => {
		rig.lease({ mode: "brake" });
		rig.reflex.boundary("tool:bash");
		expect(rig.gate.paused).toBe(false);
	});

	test("in strict mode holds the step until the answer, and shows a line only where that takes long", async () => {
		rig.reflex.boundary("tool:bash");
		expect(rig.gate.paused).toBe(true);
		expect(rig.told).toEqual(["ask tool:bash"]);
		expect(rig.line).toBeUndefined();
		await rig.pass(100);
		expect(rig.line).toContain("held before its next step");
		expect(rig.published).toMatchObject({ state: "braked" });
		await rig.answer("run");
		expect(rig.gate.paused).toBe(false);
		expect(rig.line).toBeUndefined();
	});

	test("that is answered soon leaves no trace", async () => {
		rig.reflex.boundary("tool:bash");
		await rig.answer("run");
		await rig.pass(500);
		expect(rig.told).toEqual(["ask tool:bash"]);
		expect(rig.gate.paused).toBe(false);
	});

	test("asks anew while another one is open, and only the newest answer counts", async () => {
		rig.reflex.boundary("tool:bash");
		rig.reflex.boundary("tool:read");
		await rig.answer("run", 0);
		expect(rig.gate.paused).toBe(true);
		await rig.answer("run", 1);
		expect(rig.gate.paused).toBe(false);
	});

	test("that may not go on stays braked, and later ones ask nothing", async () => {
		rig.reflex.boundary("tool:bash");
		await rig.answer("pause");
		expect(rig.line).toBeDefined();
		rig.reflex.boundary("turn");
		expect(rig.questions).toHaveLength(1);
		expect(rig.gate.paused).toBe(true);
	});

	test("is let go by a key of a person whom the host reports to be here", async () => {
		rig.reflex.focusIn();
		rig.reflex.boundary("tool:bash");
		await rig.answer("pause");
		rig.reflex.key();
		expect(rig.gate.paused).toBe(false);
		expect(rig.attended.count).toBe(2);
	});

	test("without an answer opens", async () => {
		rig.reflex.boundary("tool:bash");
		await rig.pass(300);
		expect(rig.gate.paused).toBe(false);
		expect(rig.published).toMatchObject({ reflex: { silent: 1 } });
	});

	test("without an answer stays closed where the settings say so, asks again and again, and a key lets go", async () => {
		rig.lease({ mode: "strict", fail: "closed", until_ms: rig.clock.nowMs + 59_000 });
		rig.reflex.boundary("tool:bash");
		await rig.pass(20_000);
		expect(rig.gate.paused).toBe(true);
		expect(rig.line).toBeDefined();
		expect(rig.questions.length).toBeGreaterThan(4);
		expect(rig.questions.length).toBeLessThan(9);
		expect(rig.published).toMatchObject({ state: "braked", reflex: { mode: "strict" } });
		rig.reflex.key();
		expect(rig.gate.paused).toBe(false);
		await rig.pass(10_000);
		expect(rig.gate.paused).toBe(false);
	});

	test("that stayed closed opens at a late answer", async () => {
		rig.lease({ mode: "strict", fail: "closed" });
		rig.reflex.boundary("tool:bash");
		await rig.pass(600);
		expect(rig.gate.paused).toBe(true);
		await rig.answer("run");
		expect(rig.gate.paused).toBe(false);
	});

	test("does nothing under a pause", async () => {
		await rig.paused();
		rig.reflex.boundary("turn");
		expect(rig.questions).toEqual([]);
		expect(rig.owned.owner).toBe("overlay");
	});

	test("becomes a brake when the focus is lost", async () => {
		rig.reflex.boundary("tool:bash");
		rig.reflex.focusOut();
		expect(rig.owned.owner).toBe("brake");
		expect(rig.line).toContain("lost the focus");
		await rig.answer("run", 0);
		expect(rig.gate.paused).toBe(true);
		await rig.answer("run", 1);
		expect(rig.gate.paused).toBe(false);
	});
});

test("silences of before the wall clock was set back switch nothing off", () => {
	const silences = new Silences();
	const lease = (nowMs: number): Lease => ({ mode: "brake", failClosed: false, askMs: 250, untilMs: nowMs + 15_000, controller: null });
	for (let silence = 0; silence < SILENCES; silence++) silences.unanswered();
	silences.switchOff(lease(9_000_000), 9_000_000);
	expect(silences.allows(lease(9_000_000), 9_001_000)).toBe(false);
	expect(silences.allows(lease(5_400_000), 5_400_000)).toBe(true);
});

test("a resume request that arrives when the person has left ends in the brake, with a question", async () => {
	const rig = new Rig();
	rig.lease();
	rig.hold("b-1");
	rig.ask({ "b-1": {} });
	await rig.look();
	await rig.pass(30);
	rig.files.remove("/holds/b-1.json");
	rig.reflex.focusOut();
	rig.askResume("1-1");
	await rig.look();
	expect(rig.owned.owner).toBe("brake");
	expect(rig.questions.length).toBe(1);
});

describe("a focus lost between the key that resumes and the opening of the gate", () => {
	let rig: Rig;
	let started: number;

	beforeEach(async () => {
		rig = new Rig();
		rig.lease();
		started = 0;
	});

	async function paused(): Promise<void> {
		rig.reflex.focusOut();
		await rig.answer("pause");
		await rig.paused();
		void rig.gate.park().then(() => started++);
	}

	test("ends in the brake, with a question, and no tool gets through", async () => {
		await paused();
		rig.reflex.key();
		rig.reflex.focusOut();
		rig.told.length = 0;
		await rig.opens();
		expect(rig.screen.top).toBeUndefined();
		expect(rig.owned.owner).toBe("brake");
		expect(rig.line).toBeDefined();
		expect(started).toBe(0);
		expect(rig.told).toEqual(["publish", "wake running", "publish braked", "ask request-ended"]);
		await rig.answer("pause");
		await rig.paused();
		expect(rig.published).toMatchObject({ state: "paused", by: "request" });
		expect(started).toBe(0);
	});

	test("so does one of the person's own pause", async () => {
		rig.mailbox.pauseByPerson();
		await rig.pass(30);
		void rig.gate.park().then(() => started++);
		rig.reflex.key();
		rig.reflex.focusOut();
		await rig.opens();
		expect(rig.owned.owner).toBe("brake");
		expect(started).toBe(0);
		expect(rig.questions).toHaveLength(1);
	});

	test("is told to everybody else in the order in which it happened", async () => {
		const heard: boolean[] = [];
		rig.gate.onChange(paused => void heard.push(paused));
		await paused();
		rig.reflex.key();
		rig.reflex.focusOut();
		heard.length = 0;
		await rig.opens();
		expect(heard).toEqual([false, true]);
	});

	test("the controller's answer lets go of somebody who may run there", async () => {
		await paused();
		rig.reflex.key();
		rig.reflex.focusOut();
		await rig.opens();
		await rig.answer("run");
		expect(rig.gate.paused).toBe(false);
		expect(started).toBe(1);
	});

	test("nobody is braked who came back unreported, and resumes", async () => {
		await paused();
		await rig.press();
		expect(rig.gate.paused).toBe(false);
		expect(rig.published).toMatchObject({ state: "running", reflex: { away: false } });
		expect(started).toBe(1);
	});

	test("nor where no focus is reported, nor without a lease", async () => {
		await rig.paused();
		await rig.press();
		expect(rig.gate.paused).toBe(false);
		await paused();
		rig.reflex.key();
		rig.reflex.focusOut();
		rig.files.remove("/reflex.json");
		await rig.opens();
		expect(rig.gate.paused).toBe(false);
		expect(started).toBe(1);
	});
});
