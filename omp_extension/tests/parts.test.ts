import { describe, expect, test } from "bun:test";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { Attended } from "../src/attended.ts";
import { Calls } from "../src/calls.ts";
import { Broken, parseHold, parseRequest, parseResume } from "../src/documents.ts";
import { Gate } from "../src/gate.ts";
import { readHolds } from "../src/holds.ts";
import { Burst, classify, type Input, type KeyReader, Once } from "../src/keys.ts";
import { guarded } from "../src/log.ts";
import { FocusReports } from "../src/reports.ts";
import { ticksOf } from "../src/session.ts";
import { Status } from "../src/status.ts";
import { atLeast } from "../src/version.ts";
import { type Started, Waker } from "../src/wake.ts";
import { Clock, FakeGate, FakeScreen, MemoryFiles, settled } from "./fakes.ts";

describe("proofs that the person is here", () => {
	function counted(...inputs: ("in" | "out" | "key" | "resumed")[]): number {
		const attended = new Attended(() => {});
		const act = { in: () => attended.focusIn(), out: () => attended.focusOut(), key: () => attended.key(), resumed: () => attended.resumed() };
		for (const input of inputs) act[input]();
		return attended.count;
	}

	test("every key counts while no focus report was seen", () => expect(counted("key", "key")).toBe(2));
	test("with reports only the return counts", () => expect(counted("in", "key", "key", "out", "in", "key")).toBe(2));
	test("a key counts once where the report of the return was lost", () => expect(counted("in", "out", "key", "key")).toBe(2));
	test("leaving is no proof", () => expect(counted("out")).toBe(0));
	test("a key of a person who is reported to be here counts where it lets a held agent go", () => {
		const attended = new Attended(() => {});
		attended.focusIn();
		attended.key();
		attended.key(true);
		expect(attended.count).toBe(2);
	});
	test("a resume always counts", () => expect(counted("in", "resumed")).toBe(2));
	test("the report of a lost focus stands after a resume, and a key is news", () => expect(counted("out", "resumed", "key")).toBe(2));
});

describe("the gate", () => {
	test("is released by its owner alone", () => {
		const fake = new FakeGate();
		const gate = new Gate(fake, { outside: () => {}, takenFromReflex: () => {}, takenFromLine: () => {} });
		gate.as("overlay", () => fake.pause());
		expect(gate.owner).toBe("overlay");
		expect(gate.release("person")).toBe(false);
		expect(fake.paused).toBe(true);
		expect(gate.release("overlay")).toBe(true);
		expect(fake.paused).toBe(false);
	});

	test("belongs to the person where somebody outside has engaged it, also before the start", () => {
		const fake = new FakeGate();
		const heard: boolean[] = [];
		const events = { outside: (paused: boolean) => void heard.push(paused), takenFromReflex: () => {}, takenFromLine: () => {} };
		const gate = new Gate(fake, events);
		fake.pause();
		expect(gate.owner).toBe("person");
		expect(gate.release("overlay")).toBe(false);
		fake.resume();
		expect(heard).toEqual([true, false]);
		fake.pause();
		expect(new Gate(fake, events).owner).toBe("person");
	});
});

describe("the gate held by the reflex", () => {
	function rig() {
		const fake = new FakeGate();
		const told: string[] = [];
		const gate = new Gate(fake, { outside: paused => void told.push(`outside ${paused}`), takenFromReflex: () => void told.push("taken"), takenFromLine: () => void told.push("line taken") });
		return { fake, gate, told };
	}

	test("goes to whoever pauses, and no parked loop gets through", async () => {
		const { fake, gate, told } = rig();
		expect(gate.engage("boundary")).toBe(true);
		expect(gate.engage("brake")).toBe(true);
		expect(gate.owner).toBe("brake");
		let through = 0;
		void fake.park().then(() => through++);
		expect(gate.as("overlay", () => fake.pause())).toBe(true);
		await settled();
		expect([gate.owner, through, told.join()]).toEqual(["overlay", 0, "taken"]);
		expect(gate.engage("brake")).toBe(false);
		gate.release("overlay");
		await settled();
		expect(through).toBe(1);
	});

	test("is the person's when OMP's own command pauses", () => {
		const { fake, gate, told } = rig();
		gate.engage("brake");
		expect(fake.pause()).toBe(true);
		expect(gate.owner).toBe("person");
		expect(told).toEqual(["taken", "outside true"]);
	});

	test("is told to be open when somebody else resumes it", () => {
		const { fake, gate, told } = rig();
		gate.engage("brake");
		expect(fake.resume()).toBe(1);
		expect(gate.owner).toBeNull();
		expect(told).toEqual(["taken", "outside false"]);
	});

	test("is not opened by the late end of an earlier pause command", () => {
		const { fake, gate } = rig();
		gate.commandEnding = true;
		gate.engage("brake");
		expect(fake.resume()).toBeUndefined();
		expect(fake.paused).toBe(true);
		expect(gate.release("brake")).toBe(true);
		expect(fake.paused).toBe(false);
	});

	test("is OMP's own again afterwards", () => {
		const { fake, gate, told } = rig();
		gate.dispose();
		fake.pause();
		fake.resume();
		expect(fake.pause).toBe(FakeGate.prototype.pause);
		expect(fake.resume).toBe(FakeGate.prototype.resume);
		expect(told).toEqual([]);
	});
});

describe("what the terminal sends", () => {
	const KEYS: Record<string, string> = { "\x1b[24~": "f12", "\x1b[24;1:2~": "f12", "\x1b\x10": "ctrl+alt+p", "\x1b\x12": "ctrl+alt+r", a: "a", "\x1b": "escape", "\x1b[A": "up" };
	const reader: KeyReader = {
		parseKey: data => KEYS[data],
		isKeyRepeat: data => data.includes(":2"),
		isKeyRelease: data => data.includes(":3"),
	};
	const cases: [string, Input][] = [
		["\x1b[I", "focus-in"],
		["\x1b[O", "focus-out"],
		["\x1b[24~", "look"],
		["\x1b[24;1:2~", "repeat"],
		["\x1b[24;1:3~", "none"],
		["\x1b\x10", "pause"],
		["\x1b\x12", "resume"],
		["a", "key"],
		["語", "key"],
		["\x1b", "key"],
		["\x1b[A", "key"],
		["\x1b[200~pasted\x1b[201~", "key"],
		["\x1b[<0;10;10M", "none"],
		["\x1b[6;20;10t", "none"],
		["\x1b]11;rgb:0/0/0\x07", "none"],
	];
	for (const [data, input] of cases) {
		test(`${JSON.stringify(data)} is ${input}`, () => expect(classify(data, { look: "f12", pause: "ctrl+alt+p", resume: "ctrl+alt+r" }, reader)).toBe(input));
	}

	test("a burst of presses acts at once, and once more after it", () => {
		const clock = new Clock();
		let acts = 0;
		const burst = new Burst(() => acts++, clock.later);
		for (let press = 0; press < 5; press++) burst.press();
		expect(acts).toBe(1);
		clock.step();
		expect(acts).toBe(2);
		clock.step();
		burst.press();
		expect(acts).toBe(3);
	});

	test("a key that acts once does so again only after a rest", () => {
		let [now, acts] = [0, 0];
		const once = new Once(() => acts++, () => now);
		once.press();
		for (now = 100; now <= 700; now += 200) once.press();
		expect(acts).toBe(1);
		now += 1_000;
		once.press();
		expect(acts).toBe(1 + 1);
		now -= 3_600_000;
		once.press();
		expect(acts).toBe(1 + 1 + 1);
	});
});

describe("the status file", () => {
	function rig() {
		const clock = new Clock();
		const files = new MemoryFiles();
		const state = { attended: 0 };
		const errors: unknown[] = [];
		const copies = [
			{ file: "/a/1.json", pane: "%1" },
			{ file: "/b/1.json", pane: "w1:p1" },
		];
		const status = new Status({ files, copies, content: () => state, nowMs: () => clock.nowMs, later: clock.later, report: error => errors.push(error) });
		return { clock, files, state, status, errors, read: (file = "/a/1.json") => JSON.parse(files.read(file) ?? "null") };
	}

	test("has the pane's id as each host knows it", () => {
		const { status, read } = rig();
		status.publish();
		expect(read()).toEqual({ v: 1, pane: "%1", attended: 0, written_ms: 1_000_000 });
		expect(read("/b/1.json").pane).toBe("w1:p1");
	});

	test("takes the first of many small changes at once and the last one a little later", () => {
		const { status, read, state, clock } = rig();
		for (state.attended = 1; state.attended < 5; state.attended++) status.publishSoon();
		expect(read().attended).toBe(1);
		clock.step();
		expect(read()).toMatchObject({ attended: 5, written_ms: 1_000_250 });
		clock.step();
		expect(clock.nextMs).toBeNull();
	});

	test("that could not be written is written when it can be", () => {
		const { status, read, files, errors } = rig();
		files.fails = () => true;
		status.publish();
		expect(errors.length).toBe(2);
		files.fails = () => false;
		status.retry();
		expect(read().pane).toBe("%1");
	});

	test("is not written any more once it was removed", () => {
		const { status, files } = rig();
		status.publish();
		status.remove();
		status.publishSoon();
		expect([...files.all.keys()]).toEqual([]);
	});
});

describe("waking the controller", () => {
	function rig() {
		const started: string[] = [];
		const ends: (() => void)[] = [];
		const errors: unknown[] = [];
		const clock = new Clock();
		const start = (_target: object, trigger: string): Started => {
			if (trigger === "fails") throw new Error("no such program");
			started.push(trigger);
			return { onEnd: act => void ends.push(act) };
		};
		const waker = new Waker({ host: "tmux", address: "a" }, start, () => clock.nowMs, error => errors.push(error));
		return { started, ends, errors, clock, waker };
	}

	test("more than two at a time become one that starts after them", () => {
		const { waker, started, ends } = rig();
		for (const trigger of ["1", "2", "3", "4"]) waker.wake(trigger);
		expect(started).toEqual(["1", "2"]);
		ends[0]?.();
		expect(started).toEqual(["1", "2", "4"]);
		ends[1]?.();
		expect(started).toEqual(["1", "2", "4"]);
	});

	test("runners that hang keep no other from starting", () => {
		const { waker, started, clock } = rig();
		waker.wake("1");
		waker.wake("2");
		clock.nowMs += 11_000;
		waker.wake("3");
		expect(started).toEqual(["1", "2", "3"]);
	});

	test("a runner that cannot be started is reported and no more", () => {
		const { waker, errors } = rig();
		waker.wake("fails");
		expect(String(errors[0])).toContain("no such program");
	});
});

describe("documents", () => {
	const request = (runs: unknown) => JSON.stringify({ v: 1, runs });

	test("a request names runs, and the count of its focus run", () => {
		expect(parseRequest(request({ focus: { attended: 3 }, "b-1": {} }))).toEqual({ focus: 3, holds: ["b-1"], show: "overlay" });
		expect(parseRequest(request({}))).toEqual({ focus: null, holds: [], show: "overlay" });
	});

	test("a request says how the pause is to show; what is not known is shown in full", () => {
		const show = (how: unknown) => parseRequest(JSON.stringify({ v: 1, runs: {}, show: how })).show;
		expect([show("line"), show("overlay"), show("lantern"), show(7), show(undefined)]).toEqual(["line", "overlay", "overlay", "overlay", "overlay"]);
	});

	for (const text of ["", "[]", "{}", '{"v":2,"runs":{}}', request(null), request({ focus: {} }), request({ focus: 3 }), request([])]) {
		test(`${text} is no request`, () => expect(() => parseRequest(text)).toThrow(Broken));
	}

	test("a resume names an engagement", () => {
		expect(parseResume('{"v":1,"engagement":"1-1"}')).toEqual({ engagement: "1-1" });
		expect(() => parseResume('{"v":1}')).toThrow(Broken);
	});

	for (const more of [{ scope: "some" }, { scope: [{ pane: "%1" }] }, { deadline_ms: "soon" }, { run: 3 }]) {
		test(`${JSON.stringify(more)} makes no hold`, () => {
			expect(() => parseHold(JSON.stringify({ v: 1, run: "b", scope: "all", deadline_ms: null, ...more }))).toThrow(Broken);
		});
	}

	test("holds that cannot be read count as absent, the others are there", () => {
		const files = new MemoryFiles();
		files.write("/holds/a.json", '{"v":1,"run":"a","scope":"all"}');
		files.write("/holds/b.json", "{");
		files.write("/holds/c.json.broken", '{"v":1,"run":"c","scope":"all"}');
		expect(readHolds(files, "/holds").map(hold => hold.run)).toEqual(["a"]);
		expect(readHolds(files, "/nowhere")).toEqual([]);
	});
});

describe("small things", () => {
	test("focus reports are asked for again when another program has had the terminal", () => {
		const screen = new FakeScreen(() => {});
		let ours = true;
		const reports = new FocusReports(screen, () => ours);
		reports.ask();
		reports.poll();
		ours = false;
		reports.poll();
		expect(screen.written).toEqual(["\x1b[?1004h"]);
		ours = true;
		reports.poll();
		expect(screen.written.length).toBe(2);
	});

	test("focus reports end before another program gets the terminal", () => {
		const screen = new FakeScreen(() => {});
		const undo = new FocusReports(screen, () => true).endBeforeStop(() => {});
		screen.stop();
		expect(screen.written).toEqual(["\x1b[?1004l", "stopped"]);
		undo();
		screen.stop();
		expect(screen.written.length).toBe(3);
	});

	test("focus reports end at once with the process, and a terminal that has gone first is no error", () => {
		const file = path.join(os.tmpdir(), `reports-${process.pid}`);
		const fd = fs.openSync(file, "w+");
		try {
			FocusReports.endNow({ isTTY: false, fd });
			FocusReports.endNow({ isTTY: true, fd });
			expect(fs.readFileSync(file, "utf8")).toBe("\x1b[?1004l");
		} finally {
			fs.closeSync(fd);
			fs.rmSync(file);
		}
		expect(() => FocusReports.endNow({ isTTY: true, fd: 1 << 20 })).not.toThrow();
	});

	test("calls in flight are told apart by agent, and end with it", () => {
		const calls = new Calls();
		calls.started(1, "x", "task", 10);
		calls.started(2, "x", "bash", 20);
		calls.ended(1, "x");
		expect(calls.list).toEqual([{ name: "bash", since_ms: 20 }]);
		calls.endedAll(2);
		expect(calls.list).toEqual([]);
	});

	test("the start of a process is read past a name with anything in it", () => {
		const after = Array.from({ length: 30 }, (_, index) => String(index + 3));
		expect(ticksOf(`12 (a) b (c)) ${after.join(" ")}`)).toBe(22);
		expect(ticksOf("")).toBeNull();
	});

	test("versions compare by number", () => {
		expect(atLeast("18.1.16", "18.1.16")).toBe(true);
		expect(atLeast("18.2.0", "18.1.16")).toBe(true);
		expect(atLeast("18.1.9", "18.1.16")).toBe(false);
		expect(atLeast("17.9.99", "18.1.16")).toBe(false);
		expect(atLeast("19.0.0-beta.1", "18.1.16")).toBe(true);
	});

	test("nothing thrown gets out, later neither", async () => {
		const errors: unknown[] = [];
		const report = (error: unknown): void => void errors.push(error);
		expect(guarded(() => JSON.parse("{"), report)()).toBeUndefined();
		void guarded(() => Promise.reject(new Error("later")), report)();
		await Promise.resolve();
		await Promise.resolve();
		expect(errors.length).toBe(2);
	});
});
