/**
 * Switches off one rule of the protocol after another in a copy of the sources, and sees the tests turn red: `bun tests/mutants.ts`.
 * A rule that can be missing unnoticed is not tested.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Mutant {
	readonly rule: string;
	readonly file: string;
	readonly from: string;
	readonly to: string;
}

const MUTANTS: readonly Mutant[] = [
	{ rule: "attended", file: "rules.ts", from: "return named === attended;", to: "return named <= attended;" },
	{
		rule: "owner",
		file: "rules.ts",
		from: "view.holds.filter(hold => named.has(hold.run) && holdStands(hold, view, true)).map(hold => hold.run)",
		to: "[...named].filter(run => !view.waived.has(run))",
	},
	{ rule: "deadline", file: "rules.ts", from: "nowMs < hold.deadlineMs", to: "nowMs > 0" },
	{ rule: "waive", file: "rules.ts", from: "|| view.waived.has(hold.run)", to: "" },
	{ rule: "waive all in force", file: "rules.ts", from: "return [...waivedNow(view), ...holding(view, vouched)];", to: "return [...vouched];" },
	{ rule: "all-holds", file: "rules.ts", from: "[...standing(request, view), ...holding(view)]", to: "[...standing(request, view)]" },
	{ rule: "engagement: holds refuse", file: "rules.ts", from: "&& holding(view, current.runs).length === 0", to: "" },
	{ rule: "engagement: the one named", file: "rules.ts", from: "&& asked === current.id", to: "" },
	{ rule: "engagement: by request", file: "rules.ts", from: 'current.by === "request" && ', to: "" },
	{ rule: "newest", file: "mailbox.ts", from: "const newer = showing.box.claim();", to: "const newer = null as Claim | null;" },
	{ rule: "recheck", file: "mailbox.ts", from: "if (runs.length === 0) return this.#takeBack(showing.box, claim);", to: "" },
	{ rule: "restore", file: "box.ts", from: "if (!this.files.moveIfFree(claim.file, this.#pending)) this.files.remove(claim.file);", to: "this.files.remove(claim.file);" },
	{ rule: "restore, not over a newer one", file: "box.ts", from: "this.files.moveIfFree(claim.file, this.#pending)", to: "this.files.rename(claim.file, this.#pending)" },
	{ rule: "a request that cannot go back is not lost", file: "box.ts", from: "this.#stranded = claim;\n\t\t\tthrow", to: "throw" },
	{ rule: "publish-first", file: "mailbox.ts", from: "this.effects.publish();\n\t\tthis.effects.wake(trigger);", to: "this.effects.wake(trigger);\n\t\tthis.effects.publish();" },
	{ rule: "publish-first, paused", file: "mailbox.ts", from: "this.effects.publish();\n\t\tshowing.box.finish(claim);\n\t\tthis.effects.wake(\"paused\");", to: "this.effects.wake(\"paused\");\n\t\tthis.effects.publish();\n\t\tshowing.box.finish(claim);" },
	{ rule: "overtaken wakes", file: "mailbox.ts", from: 'this.#announce("overtaken")', to: "this.effects.publish()" },
	{ rule: "taken back wakes", file: "mailbox.ts", from: 'this.#announce("taken-back")', to: "this.effects.publish()" },
	{ rule: "own-pause is told", file: "mailbox.ts", from: "if (paused) return this.#pausedByPerson();", to: "if (paused) return;" },
	{ rule: "own-pause is not released", file: "gate.ts", from: "if (this.#owner !== owner) return false;", to: "" },
	{ rule: "painted before acknowledged", file: "mailbox.ts", from: "() => this.effects.screen.painted(),", to: "() => true," },
	{ rule: "not painted is taken back", file: "mailbox.ts", from: "() => this.#retract(showing, NOT_PAINTED),", to: "() => {}," },
	{ rule: "a broken screen releases the gate", file: "overlay.ts", from: "this.effects.gate.release(owner);\n\t\treturn { code", to: "return { code" },
	{ rule: "a screen is drawn in the open first", file: "overlay.ts", from: "component.render(screen.terminal.columns);", to: ";" },
	{ rule: "a resume by others closes the screen", file: "mailbox.ts", from: "else this.effects.screen.close();", to: "" },
	{ rule: "a resume by others waives nothing", file: "mailbox.ts", from: "this.#end(byPerson);", to: "this.#end(true);" },
	{ rule: "the acknowledgement ends with the pause", file: "mailbox.ts", from: "for (const box of this.effects.boxes) box.removeAcknowledgement();", to: "" },
	{ rule: "a claim ends with the pause", file: "mailbox.ts", from: 'if (ended.at === "showing") ended.box.finish(ended.claim);', to: "" },
	{ rule: "the keyboard is put right, by the person", file: "overlay.ts", from: "this.#shown = null;\n\t\tthis.effects.focus.repair();", to: "this.#shown = null;" },
	{ rule: "the keyboard is put right, by request", file: "overlay.ts", from: "shown.handle.hide();\n\t\tthis.effects.focus.repair();", to: "shown.handle.hide();" },
	{ rule: "a closed screen takes no keyboard", file: "overlay.ts", from: "if (this.#shown?.component === component) screen.setFocus(component);", to: "screen.setFocus(component);" },
	{ rule: "the pause command is brought to its end", file: "overlay.ts", from: 'component.handleInput?.("\\r");', to: "" },
	{ rule: "one pause command at a time", file: "overlay.ts", from: "return this.#running === null;", to: "return true;" },
	{ rule: "back-off", file: "mailbox.ts", from: "this.#retryAtMs = this.effects.nowMs() + RETRY_MS;", to: "" },
	{ rule: "a key counts only without reports", file: "attended.ts", from: "if (!this.#reports || this.#away) this.#prove();", to: "this.#prove();" },
	{ rule: "a key counts when the return was not reported", file: "attended.ts", from: "if (!this.#reports || this.#away) this.#prove();", to: "if (!this.#reports) this.#prove();" },
	{ rule: "holds on other panes", file: "rules.ts", from: "hold.scope === \"all\" || names(hold.scope, places)", to: "true" },
	{ rule: "panes left out", file: "rules.ts", from: "return vouched ? !names(hold.except, view.places) : covers", to: "return vouched ? true : covers" },
	{ rule: "waived holds that are gone", file: "mailbox.ts", from: "if (this.#waived.size > 0)", to: "if (this.#waived.size < 0)" },
];

const root = join(import.meta.dir, "..");

function survives(mutant: Mutant): boolean {
	const scratch = mkdtempSync(join(tmpdir(), "attention-mutant-"));
	try {
		const copy = join(scratch, "omp_extension");
		for (const part of ["src", "tests", "package.json", "tsconfig.json"]) cpSync(join(root, part), join(copy, part), { recursive: true });
		cpSync(join(root, "..", "tests", "vectors"), join(scratch, "tests", "vectors"), { recursive: true });
		const file = join(copy, "src", mutant.file);
		const source = readFileSync(file, "utf8");
		if (source.split(mutant.from).length !== 2) throw new Error(`${mutant.rule}: the code to break is not there, or twice: ${mutant.from}`);
		writeFileSync(file, source.replace(mutant.from, () => mutant.to));
		return spawnSync(process.execPath, ["test", "--bail"], { cwd: copy, stdio: "ignore" }).status === 0;
	} finally {
		rmSync(scratch, { recursive: true, force: true });
	}
}

const wanted = process.argv[2];
const survivors = MUTANTS.filter(({ rule }) => !wanted || rule.includes(wanted)).filter(mutant => {
	const alive = survives(mutant);
	console.log(`${alive ? "SURVIVES" : "red     "} ${mutant.rule}`);
	return alive;
});
process.exit(survivors.length > 0 ? 1 : 0);
