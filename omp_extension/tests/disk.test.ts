/** What only a real file system can tell. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../src/config.ts";
import { Broken } from "../src/documents.ts";
import { realFiles, retried } from "../src/files.ts";
import { logTo } from "../src/log.ts";
import { seats, thisProcess, whyRefused } from "../src/session.ts";
import { FolderWatch } from "../src/watch.ts";

let folder = "";
beforeEach(() => {
	folder = fs.mkdtempSync(join(tmpdir(), "attention-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

describe("files", () => {
	test("are written whole, and leave nothing else behind", () => {
		const file = join(folder, "a.json");
		realFiles.write(file, "1");
		realFiles.write(file, "2");
		expect(fs.readdirSync(folder)).toEqual(["a.json"]);
		expect(realFiles.read(file)).toBe("2");
	});

	test("a write that fails leaves nothing behind either", () => {
		fs.mkdirSync(join(folder, "a.json", "in the way"), { recursive: true });
		expect(() => realFiles.write(join(folder, "a.json"), "1")).toThrow();
		expect(fs.readdirSync(folder)).toEqual(["a.json"]);
	});

	test("are claimed by one", () => {
		realFiles.write(join(folder, "pending.json"), "1");
		expect(realFiles.rename(join(folder, "pending.json"), join(folder, "1.claim"))).toBe(true);
		expect(realFiles.rename(join(folder, "pending.json"), join(folder, "2.claim"))).toBe(false);
	});

	test("are moved back only where nothing newer is", () => {
		const [claim, pending] = [join(folder, "claim"), join(folder, "pending")];
		realFiles.write(claim, "old");
		expect(realFiles.moveIfFree(claim, pending)).toBe(true);
		expect(fs.readdirSync(folder)).toEqual(["pending"]);
		realFiles.write(claim, "older");
		expect(realFiles.moveIfFree(claim, pending)).toBe(false);
		expect(realFiles.read(pending)).toBe("old");
		expect(realFiles.read(claim)).toBe("older");
	});

	test("that are not there are nothing, and no error", () => {
		expect(realFiles.read(join(folder, "none"))).toBeNull();
		expect(realFiles.names(join(folder, "none"))).toEqual([]);
		realFiles.remove(join(folder, "none"));
		realFiles.removeTree(join(folder, "none"));
	});

	test("names that start with a dot are passed over", () => {
		fs.writeFileSync(join(folder, ".a.tmp"), "");
		fs.writeFileSync(join(folder, "b"), "");
		expect(realFiles.names(folder)).toEqual(["b"]);
	});

	test("that are busy for a moment are tried again, and not for ever", () => {
		const busy = Object.assign(new Error("busy"), { code: "EBUSY" });
		let [failures, waits] = [3, 0];
		const act = (): string => {
			if (failures-- > 0) throw busy;
			return "done";
		};
		expect(retried(act, code => code === "EBUSY", () => waits++)).toBe("done");
		expect(waits).toBe(3);
		failures = Infinity;
		expect(() => retried(act, code => code === "EBUSY", () => waits++)).toThrow("busy");
		failures = 1;
		expect(() => retried(act, () => false, () => waits++)).toThrow("busy");
	});
});

describe("config.json", () => {
	const good = {
		v: 1,
		state: "/state",
		runner: ["python"],
		hosts: [{ host: "tmux", pane: "TMUX_PANE", address: "TMUX", address_pattern: "^(.*),[0-9]+$" }],
	};
	const write = (text: string, name = "config.json") => fs.writeFileSync(join(folder, name), text);

	test("lies beside the entry module, or one folder up", () => {
		write(JSON.stringify(good));
		fs.mkdirSync(join(folder, "src"));
		for (const place of [folder, join(folder, "src")]) {
			expect(loadConfig(realFiles, place)).toMatchObject({ agent: "omp", state: "/state", keys: { look: "f12", pause: "ctrl+alt+p" } });
		}
	});

	test("that is missing means not set up", () => {
		expect(loadConfig(realFiles, join(folder, "src"))).toBeNull();
	});

	const broken: [string, string][] = [
		["not JSON", "{"],
		["version 2", JSON.stringify({ ...good, v: 2 })],
		["state is no absolute path", JSON.stringify({ ...good, state: "here" })],
		["runner is no list", JSON.stringify({ ...good, runner: [] })],
		["hosts.pane is no text", JSON.stringify({ ...good, hosts: [{ host: "tmux" }] })],
		["hosts.address_pattern", JSON.stringify({ ...good, hosts: [{ ...good.hosts[0], address_pattern: "(" }] })],
	];
	for (const [why, text] of broken) {
		test(`that is broken is named with the reason: ${why}`, () => {
			write(text);
			expect(() => loadConfig(realFiles, folder)).toThrow(Broken);
			expect(() => loadConfig(realFiles, folder)).toThrow(why);
			expect(() => loadConfig(realFiles, folder)).toThrow("config.json");
		});
	}
});

describe("the seat of a process", () => {
	const hosts = [
		{ host: "herdr", pane: "HERDR_PANE_ID", address: "HERDR_SOCKET_PATH", addressPattern: null },
		{ host: "tmux", pane: "TMUX_PANE", address: "TMUX", addressPattern: /^(.*),[0-9]+$/ },
	];
	const tmux = { TMUX_PANE: "%4", TMUX: "/nowhere/tmux-0/default,99,0" };

	test("is in every host whose variables are set", () => {
		const found = seats(hosts, { ...tmux, HERDR_PANE_ID: "w1:p2", HERDR_SOCKET_PATH: "/nowhere/h.sock" }, "/state", 7);
		expect(found.map(seat => [seat.host, seat.pane])).toEqual([
			["herdr", "w1:p2"],
			["tmux", "%4"],
		]);
		const key = found[1]?.session ?? "";
		expect(found[1]).toMatchObject({ address: "/nowhere/tmux-0/default,99", statusFile: join("/state", "sessions", key, "agents", "%254.7.json") });
	});

	test("is nowhere without both variables, or with an address of another form", () => {
		expect(seats(hosts, { TMUX_PANE: "%4", HERDR_SOCKET_PATH: "x" }, "/state", 7)).toEqual([]);
		expect(seats(hosts, { ...tmux, TMUX: "odd" }, "/state", 7)).toEqual([]);
	});

	test("the process says when it started", () => {
		const { pid, started } = thisProcess();
		expect(pid).toBe(process.pid);
		expect(Math.abs(started.ms - (Date.now() - process.uptime() * 1000))).toBeLessThan(1_000);
		if (process.platform === "linux") expect(started.ticks).toBeGreaterThan(0);
	});

	test("a state folder that others can write to is refused, one that is missing is made", () => {
		const state = join(folder, "state");
		expect(whyRefused(state)).toBeNull();
		if (process.platform === "win32") return;
		expect(fs.statSync(state).mode & 0o777).toBe(0o700);
		fs.chmodSync(state, 0o777);
		expect(whyRefused(state)).toContain("chmod 700");
	});
});

describe("a watched folder", () => {
	async function seen(act: () => void): Promise<void> {
		const event = Promise.withResolvers<void>();
		heard = () => event.resolve();
		act();
		await event.promise;
	}
	let heard = () => {};

	test("is watched again after it was removed and made anew", async () => {
		const box = join(folder, "box");
		const watch = new FolderWatch(box, () => heard(), error => expect(error).toBeUndefined());
		watch.arm();
		await seen(() => fs.writeFileSync(join(box, "a"), ""));
		await seen(() => fs.rmSync(box, { recursive: true }));
		watch.arm();
		await seen(() => fs.writeFileSync(join(box, "b"), ""));
		watch.close();
	});
});

test("the log does not grow without bound", () => {
	const file = join(folder, "x.log");
	const log = logTo(file);
	fs.writeFileSync(file, "x".repeat(300_000));
	log(new Error("after"));
	expect(fs.readFileSync(file, "utf8")).toContain("after");
	expect(fs.statSync(file).size).toBeLessThan(10_000);
	expect(fs.existsSync(`${file}.1`)).toBe(true);
	logTo(join(folder, "no", "folder", "x.log"))("is no error");
});
