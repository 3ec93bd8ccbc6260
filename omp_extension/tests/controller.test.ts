/** Talking with the resident controller, over real sockets. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as fs from "node:fs";
import * as net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Asker, parseAnswer, type Verdict } from "../src/ask.ts";
import { type Dial, dialer, type Hearer, parseAddress, requestLine, valuesOf } from "../src/controller.ts";
import { realFiles } from "../src/files.ts";
import { type Start, wakeResident } from "../src/wake.ts";

let folder = "";
let server: net.Server | null = null;
const errors: unknown[] = [];
beforeEach(() => {
	folder = fs.mkdtempSync(join(tmpdir(), "attention-"));
	errors.length = 0;
});
afterEach(async () => {
	await new Promise<void>(done => (server ? server.close(() => done()) : done()));
	server = null;
	fs.rmSync(folder, { recursive: true, force: true });
});

const later = (ms: number, act: () => void): void => void setTimeout(act, ms);

function dial(): Dial {
	return dialer(realFiles, join(folder, "serve.addr"), later, error => errors.push(error));
}

function address(text: string): void {
	fs.writeFileSync(join(folder, "serve.addr"), text);
}

/** A controller that hears one line of each connection. */
async function serve(answer: (line: string, socket: net.Socket) => void, tcp = false): Promise<void> {
	server = net.createServer(socket => {
		let text = "";
		socket.setEncoding("utf8");
		socket.on("error", () => {});
		socket.on("data", data => {
			text += String(data);
			if (text.endsWith("\n")) answer(text.trimEnd(), socket);
		});
	});
	const path = join(folder, "serve.sock");
	await new Promise<void>(done => (tcp || process.platform === "win32" ? server?.listen(0, "127.0.0.1", done) : server?.listen(path, done)));
	const bound = server.address();
	address(typeof bound === "object" && bound ? `tcp 127.0.0.1 ${bound.port} 00ff\n` : `unix ${path}\n`);
}

async function exchanged(verb = "status", boundMs = 5_000): Promise<{ lines: string[]; code: number | null }> {
	const lines: string[] = [];
	const { promise, resolve } = Promise.withResolvers<number | null>();
	dial()(verb, { a: "1 2" }, boundMs, { line: text => void lines.push(text), end: resolve });
	return { lines, code: await promise };
}

describe("the address", () => {
	const cases: [string, ReturnType<typeof parseAddress>][] = [
		["unix /run/with a space/serve.sock\n", { path: "/run/with a space/serve.sock" }],
		["tcp 127.0.0.1 4711 abc\r\n", { host: "127.0.0.1", port: 4711, token: "abc" }],
		["tcp 10.0.0.1 4711 abc", null],
		["tcp 127.0.0.1 4711", null],
		["tcp 127.0.0.1 port abc", null],
		["unix ", null],
		["", null],
	];
	for (const [text, expected] of cases) test(JSON.stringify(text), () => expect(parseAddress(text)).toEqual(expected));
});

test("values are encoded so that no value can be taken for another word, and come back the same", () => {
	const value = "a b=c\n%41 ä(!)*'/:~.-_\ud83c\udf89";
	const line = requestLine("ask", { pane: value, n: 3 });
	expect(line).toMatch(/^ask pane=[A-Za-z0-9\-_.~/:%]+ n=3\n$/);
	expect(valuesOf(line.trim().split(" ").slice(1)).get("pane")).toBe(value);
	expect(requestLine("ask", { pane: "\ud83c" })).toBe("ask pane=%EF%BF%BD\n");
});

describe("a request", () => {
	test("is answered line by line", async () => {
		await serve((line, socket) => void socket.end(`out ${line.replace(/ token=\S+/, "")}\nerr two\nend 3\n`));
		expect(await exchanged()).toEqual({ lines: ["out status a=1%202", "err two"], code: 3 });
	});

	test("over tcp carries the token first", async () => {
		await serve((line, socket) => void socket.end(`out ${line}\nend 0\n`), true);
		expect((await exchanged()).lines).toEqual(["out status token=00ff a=1%202"]);
	});

	test("whose answer comes in pieces is put together", async () => {
		await serve((_line, socket) => {
			socket.write("out hal");
			later(5, () => socket.write("f\ne"));
			later(10, () => socket.write("nd 0\n"));
		});
		expect(await exchanged()).toEqual({ lines: ["out half"], code: 0 });
	});

	const lost: [string, () => void | Promise<void>, number?][] = [
		["there is no address", () => {}],
		["the address is that of one that has gone", () => address(`unix ${join(folder, "nobody.sock")}\n`)],
		["the connection closes without an end", () => serve((_line, socket) => void socket.end("out half\n"))],
		["the connection closes without an answer", () => serve((_line, socket) => void socket.destroy())],
		["no answer comes in time", () => serve(() => {}), 20],
		["the answer has no end", () => serve((_line, socket) => void socket.write("x".repeat(70_000)))],
	];
	for (const [what, prepare, boundMs] of lost) {
		test(`is lost when ${what}`, async () => {
			await prepare();
			expect((await exchanged("wake", boundMs)).code).toBeNull();
			expect(errors).toEqual([]);
		});
	}

	test("ends once, and an error of who hears it stays here", async () => {
		await serve((_line, socket) => void socket.end("out 1\nend 0\nend 1\n"));
		let ends = 0;
		const { promise, resolve } = Promise.withResolvers<void>();
		dial()("status", {}, 1_000, {
			line: () => {
				throw new Error("of the hearer");
			},
			end: () => {
				ends++;
				later(20, resolve);
			},
		});
		await promise;
		expect(ends).toBe(1);
		expect(errors).toHaveLength(1);
	});
});

describe("waking", () => {
	async function wake(): Promise<{ started: string[]; ended: boolean }> {
		const started: string[] = [];
		const runner: Start = (target, trigger) => {
			started.push(`${target.host} ${trigger}`);
			return { onEnd: act => later(1, act) };
		};
		const { promise, resolve } = Promise.withResolvers<void>();
		wakeResident(dial(), runner, error => errors.push(error))({ host: "tmux", address: "/a b" }, "omp:paused").onEnd(resolve);
		await promise;
		return { started, ended: true };
	}

	test("goes to the resident controller, and starts no other", async () => {
		const heard: string[] = [];
		await serve((line, socket) => {
			heard.push(line.replace(/ token=\S+/, ""));
			socket.end("end 0\n");
		});
		expect(await wake()).toEqual({ started: [], ended: true });
		expect(heard).toEqual(["wake host=tmux address=/a%20b trigger=omp:paused answer=no"]);
	});

	test("starts one where there is none", async () => {
		expect((await wake()).started).toEqual(["tmux omp:paused"]);
	});

	test("starts one where the resident one does not accept it, or dies over it", async () => {
		await serve((_line, socket) => void socket.end("end 1\n"));
		expect((await wake()).started).toEqual(["tmux omp:paused"]);
		server?.close();
		await serve((_line, socket) => void socket.destroy(), true);
		expect((await wake()).started).toEqual(["tmux omp:paused"]);
	});

	test("that fails both ways is reported, and ends", async () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		const broken: Start = () => {
			throw new Error("no such program");
		};
		wakeResident(dial(), broken, error => errors.push(error))({ host: "tmux", address: "a" }, "t").onEnd(resolve);
		await promise;
		expect(String(errors[0])).toContain("no such program");
	});
});

describe("a question", () => {
	const cases: [string, Verdict | null][] = [
		["answer run question=7 reason=it%20has%20the%20focus", "run"],
		["answer pause question=7", "pause"],
		["answer unknown more=1 question=7", "unknown"],
		["answer run question=6", null],
		["answer run", null],
		["answer perhaps question=7", null],
		["out run question=7", null],
	];
	for (const [line, verdict] of cases) test(line, () => expect(parseAnswer(line, 7)).toBe(verdict));

	/** Asks about one pane for each entry; null: that one is lost. */
	function asked(...verdicts: (Verdict | null)[]): (Verdict | null)[] {
		const hearers: Hearer[] = [];
		const seats = verdicts.map((_, index) => ({ host: "tmux", address: "a", pane: `%${index}` }));
		const answers: (Verdict | null)[] = [];
		new Asker((_verb, _values, _bound, hearer) => void hearers.push(hearer), seats, 1).ask(7, "focus-out", verdict => void answers.push(verdict));
		verdicts.forEach((verdict, index) => {
			if (verdict) hearers[index]?.line(`answer ${verdict} question=7`);
			hearers[index]?.end(verdict ? 0 : null);
		});
		return answers;
	}

	test("is answered once", () => {
		expect(asked("run")).toEqual(["run"]);
		expect(asked(null)).toEqual([null]);
	});

	test("about several panes is answered by the one that knows, and by a pause before all others", () => {
		expect(asked("unknown", "run")).toEqual(["run"]);
		expect(asked("run", "unknown")).toEqual(["run"]);
		expect(asked("run", "pause")).toEqual(["pause"]);
		expect(asked("pause", null)).toEqual(["pause"]);
		expect(asked(null, "run")).toEqual(["run"]);
		expect(asked("unknown", null)).toEqual(["unknown"]);
	});

	test("whose answer breaks off is lost", () => {
		let answer: Verdict | null | undefined;
		const hang = (_verb: string, _values: object, _bound: number, hearer: Hearer): void => {
			hearer.line("answer run question=7");
			hearer.end(null);
		};
		new Asker(hang, [{ host: "tmux", address: "a", pane: "%1" }], 1).ask(7, "turn", verdict => (answer = verdict));
		expect(answer).toBeNull();
	});
});
