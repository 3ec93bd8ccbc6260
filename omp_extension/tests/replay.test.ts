/**
 * The traces of the simulation through the real mailbox code: the model that the simulation plays with must not drift from it.
 * A handful lies in tests/vectors/traces; ATTENTION_TRACES names a folder with fresh ones (python -m tests.system.record).
 */
import { expect, test } from "bun:test";
import * as fs from "node:fs";
import * as path from "node:path";
import { Replay, type Trace } from "./replay.ts";

const KEPT = path.join(import.meta.dir, "..", "..", "tests", "vectors", "traces");
const folders = [KEPT, process.env["ATTENTION_TRACES"]].filter(folder => folder !== undefined);

function traces(): [string, Trace][] {
	return folders.flatMap(folder =>
		fs
			.readdirSync(folder)
			.filter(name => name.endsWith(".json"))
			.map((name): [string, Trace] => [name, JSON.parse(fs.readFileSync(path.join(folder, name), "utf8")) as Trace]),
	);
}

async function difference(trace: Trace): Promise<string | null> {
	const replay = new Replay(trace);
	for (const [number, step] of trace.steps.entries()) {
		const [seen, told] = [await replay.take(step), { said: step.said, left: step.left, told: step.told }];
		if (!Bun.deepEquals(seen, told)) {
			const before = trace.steps.slice(Math.max(0, number - 6), number + 1).map(one => `${one.at_ms} ${one.do} ${JSON.stringify(one.given)}`);
			return [`step ${number}`, ...before, `the model:     ${JSON.stringify(told)}`, `the extension: ${JSON.stringify(seen)}`].join("\n");
		}
	}
	return replay.errors.length > 0 ? String(replay.errors[0]) : null;
}

test("there is something to replay", () => {
	expect(traces().length).toBeGreaterThan(3);
});

test.each(traces())("%s: the extension does what the model of it did", async (_, trace) => {
	expect(await difference(trace)).toBeNull();
});
