import { expect, test } from "bun:test";
import type { Hold } from "../src/documents.ts";
import { covers, holding, inForce, keptRuns, mayResume, overtaken, standing, type View } from "../src/rules.ts";

const HERE = { session: "tmux-1", pane: "%1" };
const ELSEWHERE = { session: "tmux-1", pane: "%2" };

function hold(run: string, more: Partial<Hold> = {}): Hold {
	return { run, scope: "all", except: [], deadlineMs: null, ...more };
}

function view(holds: Hold[], more: Partial<View> = {}): View {
	return { attended: 3, waived: new Set(), holds, places: [HERE], nowMs: 100, ...more };
}

test("a hold is over at its deadline, and without one only with its file", () => {
	expect(inForce(hold("b", { deadlineMs: 100 }), 99)).toBe(true);
	expect(inForce(hold("b", { deadlineMs: 100 }), 100)).toBe(false);
	expect(inForce(hold("b"), Number.MAX_SAFE_INTEGER)).toBe(true);
});

test("a hold covers the panes in its scope that are not left out", () => {
	expect(covers(hold("b"), [HERE])).toBe(true);
	expect(covers(hold("b", { scope: [ELSEWHERE] }), [HERE])).toBe(false);
	expect(covers(hold("b", { scope: [ELSEWHERE, HERE] }), [HERE])).toBe(true);
	expect(covers(hold("b", { except: [HERE] }), [HERE])).toBe(false);
	expect(covers(hold("b", { scope: [{ ...HERE, session: "tmux-2" }] }), [HERE])).toBe(false);
});

test("any of the places a process has counts", () => {
	expect(covers(hold("b", { scope: [HERE] }), [ELSEWHERE, HERE])).toBe(true);
});

test("a request vouches for the scope of what it names, but not against being left out", () => {
	const moved = hold("b", { scope: [ELSEWHERE] });
	expect(standing({ focus: null, holds: ["b"] }, view([moved]))).toEqual(["b"]);
	expect(standing({ focus: null, holds: ["b"] }, view([{ ...moved, except: [HERE] }]))).toEqual([]);
	expect(holding(view([moved]))).toEqual([]);
	expect(holding(view([moved]), ["b"])).toEqual(["b"]);
});

test("a lost focus stands only while the count is the one named", () => {
	const asked = (focus: number) => standing({ focus, holds: [] }, view([]));
	expect(asked(3)).toEqual(["focus"]);
	expect(asked(2)).toEqual([]);
	expect(asked(4)).toEqual([]);
	expect(overtaken({ focus: 2, holds: [] }, 3)).toBe(true);
	expect(overtaken({ focus: null, holds: ["b"] }, 3)).toBe(false);
});

test("what is kept has each run once", () => {
	expect(keptRuns({ focus: 3, holds: ["b"] }, view([hold("b"), hold("c")]))).toEqual(["focus", "b", "c"]);
});

test("only the controller's own engagement is resumed, and by no one while a hold is in force", () => {
	const current = { id: "1-2", by: "request", runs: ["focus"] } as const;
	expect(mayResume("1-2", current, view([]))).toBe(true);
	expect(mayResume("1-1", current, view([]))).toBe(false);
	expect(mayResume("1-2", { ...current, by: "person" }, view([]))).toBe(false);
	expect(mayResume("1-2", current, view([hold("b")]))).toBe(false);
	expect(mayResume("1-2", current, view([hold("b")], { waived: new Set(["b"]) }))).toBe(true);
});
