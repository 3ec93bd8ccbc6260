import { afterEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canonicalAddress, encode, sessionKey } from "../src/names.ts";
import vectors from "../../tests/vectors/session_keys.json";

let scratch = "";
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

for (const { id, encoded } of vectors.names) {
	test(`the name of ${JSON.stringify(id.slice(0, 30))} is the one every part computes`, () => expect(encode(id)).toBe(encoded));
}

for (const { host, address, canonical, key } of vectors.sessions) {
	test(`the key of ${host} at ${address.slice(0, 40)} is the one every part computes`, () => {
		expect(canonicalAddress(address)).toBe(canonical);
		expect(sessionKey(host, address)).toBe(key);
	});
}

test("every name is different, and none is longer than a file system takes", () => {
	const names = vectors.names.map(({ id }) => encode(id).toLowerCase());
	expect(new Set(names).size).toBe(names.length);
	expect(Math.max(...names.map(name => name.length))).toBeLessThanOrEqual(120);
});

test("an address through a symbolic link is the same session", () => {
	scratch = mkdtempSync(join(tmpdir(), "attention-"));
	mkdirSync(join(scratch, "real"));
	symlinkSync(join(scratch, "real"), join(scratch, "link"), "dir");
	const canonical = join(realpathSync(scratch), "real", "server.sock");
	if (process.platform !== "win32") expect(canonicalAddress(join(scratch, "link", "server.sock"))).toBe(canonical);
});
