/** OMP replaces only literal specifiers that it knows by its live modules; any other one would load a dead copy, or be installed at run time. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EXTENSION } from "../src/version.ts";

const LIVE = ["@oh-my-pi/pi-agent-core", "@oh-my-pi/pi-coding-agent/slash-commands/builtin-control", "@oh-my-pi/pi-tui"];
const root = join(import.meta.dir, "..");
const source = join(root, "src");

function imported(): string[] {
	const scan = new Bun.Transpiler({ loader: "ts" });
	return readdirSync(source).flatMap(name => scan.scanImports(readFileSync(join(source, name), "utf8")).map(found => found.path));
}

test("only live modules of OMP are imported", () => {
	expect([...new Set(imported().filter(path => path.startsWith("@oh-my-pi/")))].sort()).toEqual(LIVE);
});

test("nothing else is needed at run time", () => {
	const others = imported().filter(path => !path.startsWith("node:") && !path.startsWith("./") && !path.startsWith("@oh-my-pi/"));
	expect(others).toEqual([]);
});

test("every import of its own names a file that is shipped", () => {
	const files = new Set(readdirSync(source).map(name => `./${name}`));
	expect(imported().filter(path => path.startsWith("./") && !files.has(path))).toEqual([]);
});

test("the version is told alike", () => {
	const described = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
	expect(EXTENSION).toBe(described.version);
});
