/** The mailbox protocol against everybody's steps in any order. A seed that fails is printed with its steps; ATTENTION_SEED replays it. */
import { expect, test } from "bun:test";
import { Random } from "./fakes.ts";
import { Violation, World } from "./world.ts";

const SEEDS = Number(process.env["ATTENTION_SEEDS"] ?? 1_000);
const STEPS = 120;
const only = process.env["ATTENTION_SEED"];

async function run(seed: number): Promise<string | null> {
	const random = new Random(seed);
	const world = new World();
	try {
		for (let step = 0; step < STEPS; step++) {
			await world.step(random);
			if (random.chance(0.03)) await world.quiet();
		}
		await world.quiet();
		return null;
	} catch (error) {
		if (!(error instanceof Violation) && !(error instanceof Error)) throw error;
		return `seed ${seed}: ${error.message}\n${world.trace.slice(-40).join("\n")}`;
	}
}

test(
	"no pause is lost, none comes late, none is undone by a stranger, every claim ends",
	async () => {
		const seeds = only === undefined ? Array.from({ length: SEEDS }, (_, seed) => seed) : [Number(only)];
		for (const seed of seeds) expect(await run(seed)).toBeNull();
	},
	120_000,
);
