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
	{ rule: "newest", file: "acknowledge.ts", from: "const newer = showing.box.claim();", to: "const newer = null as Claim | null;" },
	{ rule: "recheck", file: "acknowledge.ts", from: "if (runs.length === 0) return this.#takeBack({ ...showing, claim });", to: "" },
	{ rule: "restore", file: "box.ts", from: "if (!this.files.moveIfFree(claim.file, this.#pending)) this.files.remove(claim.file);", to: "this.files.remove(claim.file);" },
	{ rule: "restore, not over a newer one", file: "box.ts", from: "this.files.moveIfFree(claim.file, this.#pending)", to: "this.files.rename(claim.file, this.#pending)" },
	{ rule: "a request that cannot go back is not lost", file: "box.ts", from: "this.#stranded = claim;\n\t\t\tthrow", to: "throw" },
	{ rule: "publish-first", file: "pause.ts", from: "this.effects.publish();\n\t\tthis.effects.wake(trigger);", to: "this.effects.wake(trigger);\n\t\tthis.effects.publish();" },
	{ rule: "publish-first, paused", file: "acknowledge.ts", from: "this.effects.publish();\n\t\tshowing.box.finish(claim);\n\t\tthis.effects.wake(\"paused\");", to: "this.effects.wake(\"paused\");\n\t\tthis.effects.publish();\n\t\tshowing.box.finish(claim);" },
	{ rule: "overtaken wakes", file: "claim.ts", from: 'this.pause.announce("overtaken")', to: "this.effects.publish()" },
	{ rule: "taken back wakes", file: "acknowledge.ts", from: 'this.pause.announce("taken-back")', to: "this.effects.publish()" },
	{ rule: "own-pause is told", file: "mailbox.ts", from: "if (paused) this.#ownPause.begun();", to: "if (paused) return;" },
	{ rule: "own-pause is not released", file: "gate.ts", from: "if (this.#owner !== owner) return false;", to: "" },
	{ rule: "painted before acknowledged", file: "claim.ts", from: "painted: () => this.pause.screen.painted(),", to: "painted: () => true," },
	{ rule: "not painted is taken back", file: "claim.ts", from: "otherwise: () => this.givingBack.retract(showing, NOT_PAINTED),", to: "otherwise: () => {}," },
	{ rule: "a broken screen releases the gate", file: "overlay.ts", from: "this.effects.gate.release(owner);\n\t\treturn { code", to: "return { code" },
	{ rule: "a screen is drawn in the open first", file: "overlay.ts", from: "component.render(screen.terminal.columns);", to: ";" },
	{ rule: "a resume by others closes the screen", file: "resume.ts", from: "else this.pause.screen.close();", to: "" },
	{ rule: "a resume by others waives nothing", file: "resume.ts", from: "this.end(byPerson);", to: "this.end(true);" },
	{ rule: "the acknowledgement ends with the pause", file: "resume.ts", from: "for (const box of this.effects.boxes) box.removeAcknowledgement();", to: "" },
	{ rule: "a claim ends with the pause", file: "resume.ts", from: 'if (ended.at === "showing") ended.box.finish(ended.claim);', to: "" },
	{ rule: "the keyboard is put right, by the person", file: "overlay.ts", from: "this.#shown = null;\n\t\tthis.effects.focus.repair();", to: "this.#shown = null;" },
	{ rule: "the keyboard is put right, by request", file: "overlay.ts", from: "shown.handle.hide();\n\t\tthis.effects.focus.repair();", to: "shown.handle.hide();" },
	{ rule: "a closed screen takes no keyboard", file: "overlay.ts", from: "if (this.#shown?.component === component) screen.setFocus(component);", to: "screen.setFocus(component);" },
	{ rule: "the pause command is brought to its end", file: "overlay.ts", from: 'component.handleInput?.("\\r");', to: "" },
	{ rule: "one pause command at a time", file: "overlay.ts", from: "return this.#running === null;", to: "return true;" },
	// Of one millisecond: with none at all a request whose screen fails is claimed again in the same tick, and so without end.
	{ rule: "back-off", file: "backoff.ts", from: "this.#untilMs = this.effects.nowMs() + RETRY_MS;", to: "this.#untilMs = this.effects.nowMs() + 1;" },
	{ rule: "a key counts only without reports", file: "attended.ts", from: "if (held || !this.#reports || this.#away) this.#prove();", to: "this.#prove();" },
	{ rule: "a key counts when the return was not reported", file: "attended.ts", from: "if (held || !this.#reports || this.#away) this.#prove();", to: "if (held || !this.#reports) this.#prove();" },
	{ rule: "a resume is not newer than the report", file: "attended.ts", from: "\tresumed(): void {\n\t\tthis.#count++;", to: "\tresumed(): void {\n\t\tthis.#away = false;\n\t\tthis.#count++;" },
	{ rule: "holds on other panes", file: "rules.ts", from: "hold.scope === \"all\" || names(hold.scope, places)", to: "true" },
	{ rule: "panes left out", file: "rules.ts", from: "return vouched ? !names(hold.except, view.places) : covers", to: "return vouched ? true : covers" },
	{ rule: "waived holds that are gone", file: "pause.ts", from: "if (this.waived.size > 0)", to: "if (this.waived.size < 0)" },
	{ rule: "gentle: the word that asks for it", file: "documents.ts", from: 'show: show === "line" ? "line" : "overlay"', to: 'show: "overlay"' },
	{ rule: "gentle: a word that is not known", file: "documents.ts", from: 'show: show === "line" ? "line" : "overlay"', to: 'show: (show ?? "overlay") === "overlay" ? "overlay" : "line"' },
	{ rule: "gentle: drawn since", file: "gentle.ts", from: "if (rows === null || paint", to: "if (rows === null) return paint?.lines.some(line => line.includes(\"attention: paused\")) === true;\n\t\tif (paint" },
	{ rule: "gentle: written to the terminal", file: "gentle.ts", from: "return rows.every(row => written.some(line => line.includes(row)));", to: "return written.length > 0;" },
	{ rule: "gentle: every row of it", file: "gentle.ts", from: "rows.every(", to: "rows.some(" },
	{ rule: "gentle: not under a full screen", file: "gentle.ts", from: " || paint.altScreen) return false;", to: ") return false;\n\t\tif (paint.altScreen) return true;" },
	{ rule: "gentle: not while another program has the terminal", file: "gentle.ts", from: "if (!this.effects.terminalIsOurs())", to: "if (false)" },
	{ rule: "gentle: not over a gate that others hold", file: "gentle.ts", from: "if (!this.effects.gate.take())", to: "if (!this.effects.gate.take() && false)" },
	{ rule: "gentle: where it cannot be shown the gate is let go", file: "gentle.ts", from: "this.#line = null;\n\t\t\tthis.effects.gate.release(\"line\");", to: "" },
	{ rule: "gentle: the line goes with the pause", file: "gentle.ts", from: "this.effects.widgets.setWidget(KEY, undefined);", to: "" },
	{ rule: "gentle: the line lets go", file: "gentle.ts", from: "this.effects.gate.release(\"line\");\n\t\tthis.closedByPerson();", to: "this.closedByPerson();" },
	{ rule: "gentle: the line comes back with another conversation", file: "agent.ts", from: "\t\tgentle.showAgain();\n", to: "" },
	{ rule: "gentle: the acknowledgement says what was shown", file: "acknowledge.ts", from: "shown: this.pause.shown,\n\t\t};", to: "shown: \"overlay\",\n\t\t};" },
	{ rule: "gentle: the status file says what was shown", file: "acknowledge.ts", from: "shown: this.pause.shown, runs };", to: "shown: \"overlay\", runs };" },
	{ rule: "gentle: the resume key is the person", file: "resume.ts", from: "this.end(true);\n\t\treturn true;", to: "this.end(false);\n\t\treturn true;" },
	{ rule: "gentle: the resume key ends no pause screen", file: "resume.ts", from: " || this.pause.shown !== \"line\") return false;", to: ") return false;" },
	{ rule: "gentle: the resume key is newer than the report", file: "resume.ts", from: "if (this.effects.attended.away) this.effects.attended.key();", to: "" },
	{ rule: "gentle: a pause of the person's is no line", file: "ownpause.ts", from: "\t\tthis.pause.shown = \"overlay\";\n", to: "" },
	{ rule: "gentle: /pause takes over", file: "gate.ts", from: "} else if (owner === \"line\") {", to: "} else if (false) {" },
	{ rule: "gentle: /pause ends the request", file: "resume.ts", from: "this.pause.screen.closedByPerson();\n\t\tthis.#clear(ended);", to: "this.pause.screen.closedByPerson();" },
	{ rule: "gentle: /pause takes the line away", file: "resume.ts", from: "this.pause.screen.closedByPerson();\n\t\tthis.#clear(ended);", to: "this.#clear(ended);" },
	{ rule: "gentle: from the brake without a gap", file: "gate.ts", from: "this.#owner = \"line\";\n\t\t\tthis.events.takenFromReflex();", to: "this.release(before);\n\t\t\tthis.events.takenFromReflex();" },
	{ rule: "gentle: the brake's line goes", file: "gate.ts", from: "this.#owner = \"line\";\n\t\t\tthis.events.takenFromReflex();", to: "this.#owner = \"line\";" },
	{ rule: "gentle: no boundary while it holds", file: "reflex.ts", from: "if ((gate.owner !== null && !byReflex(gate.owner)) ||", to: "if (" },
	{ rule: "gentle: waits for the end of a pause command", file: "pause.ts", from: "return this.effects.screens.overlay.ready();", to: "return this.effects.screens.line.ready();" },
	{ rule: "reflex: every lost focus asks anew", file: "reflex.ts", from: "this.#lease() !== null && this.#engage(\"brake\", event);", to: "this.#lease() !== null && (this.#hold !== null || this.#engage(\"brake\", event));" },
	{ rule: "reflex: engages at once", file: "reflex.ts", from: "if (this.#brake(\"focus-out\") || !news) return;", to: "if (!news) return;" },
	{ rule: "reflex: away is told", file: "reflex.ts", from: "if (this.#brake(\"focus-out\") || !news) return;", to: "this.#brake(\"focus-out\");\n\t\treturn;" },
	{ rule: "reflex: the status file before the question", file: "reflex.ts", from: "\t\tthis.#check();\n\t\tthis.#ask(hold, event);\n\t\treturn true;", to: "\t\treturn true;" },
	{ rule: "reflex: the line", file: "reflex.ts", from: "if (owner === \"brake\" || again) this.#show(hold);", to: "if (again) this.#show(hold);" },
	{ rule: "reflex: the line of a boundary", file: "reflex.ts", from: "else this.effects.later(BOUNDARY_LINE_MS, () => this.#show(hold));", to: "" },
	{ rule: "reflex: the line goes with the hold", file: "reflex.ts", from: "this.effects.gate.release(hold.owner);\n\t\tthis.effects.line.hide();", to: "this.effects.gate.release(hold.owner);" },
	{ rule: "reflex: the line goes with the swap", file: "reflex.ts", from: "this.#problem = null;\n\t\tthis.effects.line.hide();", to: "this.#problem = null;" },
	{ rule: "reflex: run lets go", file: "reflex.ts", from: "} else if (verdict === \"pause\") this.#mayNotGoOn(hold);\n\t\telse this.#letGo();", to: "} else this.#mayNotGoOn(hold);" },
	{ rule: "reflex: unknown lets go", file: "reflex.ts", from: "} else if (verdict === \"pause\") this.#mayNotGoOn(hold);", to: "} else if (verdict !== \"run\") this.#mayNotGoOn(hold);" },
	{ rule: "reflex: pause keeps the brake on", file: "reflex.ts", from: "} else if (verdict === \"pause\") this.#mayNotGoOn(hold);\n", to: "}\n" },
	{ rule: "reflex: an answer to an older question is ignored", file: "reflex.ts", from: "if (hold.question !== question) return;", to: "" },
	{ rule: "reflex: an answer to an older hold is ignored", file: "reflex.ts", from: "if (this.#hold !== hold) return this.#answeredLate(hold, verdict);", to: "" },
	{ rule: "reflex: the person's return lets go", file: "reflex.ts", from: "const shown = this.#release();\n", to: "const shown = false;\n" },
	{ rule: "reflex: a key lets go", file: "reflex.ts", from: "this.#present(() => this.effects.attended.key(held));", to: "this.effects.attended.key(held);" },
	{ rule: "reflex: a key that lets go is a proof", file: "reflex.ts", from: "this.effects.attended.key(held)", to: "this.effects.attended.key()" },
	{ rule: "reflex: no answer lets go", file: "reflex.ts", from: "if (this.#stillOpen(hold, question)) this.#silence(hold);", to: "" },
	{ rule: "reflex: a lost answer lets go", file: "reflex.ts", from: "if (hold.said === \"nothing\") this.#silence(hold);\n", to: "\n" },
	{ rule: "reflex: three silences switch it off", file: "silences.ts", from: "this.#count >= SILENCES", to: "this.#count < 0" },
	{ rule: "reflex: on again with a newer lease", file: "silences.ts", from: "lease.untilMs > this.#off.lease.untilMs && ", to: "" },
	{ rule: "reflex: on again with another controller", file: "silences.ts", from: "lease.controller !== this.#off.lease.controller", to: "false" },
	{ rule: "reflex: on again after a rest", file: "silences.ts", from: " && nowMs >= this.#off.atMs + REST_MS", to: "" },
	{ rule: "reflex: a late answer says that the controller is there", file: "reflex.ts", from: "if (verdict !== null) this.#controllerIsThere(verdict);", to: "" },
	{ rule: "reflex: a late pause puts the brake on again", file: "reflex.ts", from: "if (this.#hold !== hold) return this.#answeredLate(hold, verdict);", to: "if (this.#hold !== hold) return;" },
	{ rule: "reflex: a late pause, only to the newest question", file: "reflex.ts", from: "this.#silentHold = null;\n\t\thold.said = \"nothing\";", to: "hold.said = \"nothing\";" },
	{ rule: "reflex: a late pause, not under the person's eyes", file: "reflex.ts", from: "const shown = this.#release();\n\t\tthis.#silentHold = null;", to: "const shown = this.#release();" },
	{ rule: "reflex: no answer wakes another controller", file: "reflex.ts", from: "this.effects.wake(\"unanswered\"); // the question was to wake it, too", to: "" },
	{ rule: "reflex: publish-first, unanswered", file: "reflex.ts", from: "\t\tthis.#silences.unanswered();\n", to: "\t\tthis.#silences.unanswered();\n\t\tthis.effects.wake(\"unanswered\");\n" },
	{ rule: "reflex: a pause without a request is asked about again", file: "reflex.ts", from: "else if (++hold.inVain < PAUSES_WITHOUT_REQUEST) this.#ask(hold, hold.event);", to: "" },
	{ rule: "reflex: a pause without a request ends", file: "reflex.ts", from: "else if (++hold.inVain < PAUSES_WITHOUT_REQUEST)", to: "else if (++hold.inVain > 0)" },
	{ rule: "reflex: a request that waits keeps the brake on", file: "reflex.ts", from: "if (this.effects.requested()) this.#awaitRequest(hold, question);\n\t\t\telse if", to: "if" },
	{ rule: "reflex: a request that failed puts the brake on again", file: "reflex.ts", from: "if (this.effects.attended.away) this.#brake(\"request-ended\");", to: "if (this.effects.attended.away) ;" },
	{ rule: "reflex: a request that was dropped is asked about", file: "reflex.ts", from: "} else if (hold.said === \"pause\" && !this.effects.requested()) this.#ask(hold, \"request-ended\");", to: "}" },
	{ rule: "reflex: a request that failed leaves the step waiting", file: "reflex.ts", from: "else if (this.#stepWaits) this.boundary(\"request-ended\");", to: "" },
	{ rule: "reflex: taken back puts the brake on again", file: "acknowledge.ts", from: "this.pause.announce(\"taken-back\");\n\t\tthis.effects.requestEnded();", to: "this.pause.announce(\"taken-back\");" },
	{ rule: "reflex: a focus lost before the gate opens puts the brake on again", file: "resume.ts", from: "if (byPerson && this.effects.attended.away) this.effects.requestEnded();", to: "" },
	{ rule: "reflex: not painted puts the brake on again", file: "giveback.ts", from: "this.backOff.failed(failure);\n\t\t\tthis.effects.requestEnded();", to: "this.backOff.failed(failure);" },
	{ rule: "reflex: a claim asks all the same", file: "reflex.ts", from: "if (this.effects.requested()) this.#put(++this.#question, event, () => {});", to: "" },
	{ rule: "reflex: the pause command takes the gate over", file: "gate.ts", from: "if (byReflex(owner)) {\n\t\t\t\tthis.release(owner);", to: "if (false) {\n\t\t\t\tthis.release(\"brake\");" },
	{ rule: "reflex: a resume by others is heard", file: "gate.ts", from: "if (byReflex(before)) this.events.takenFromReflex();", to: "" },
	{ rule: "reflex: the late end of a pause command opens nothing", file: "gate.ts", from: "const late = this.commandEnding && ", to: "const late = false && " },
	{ rule: "reflex: the end of a pause command is expected", file: "overlay.ts", from: "this.effects.gate.commandEnding = this.#running !== null;", to: "" },
	{ rule: "reflex: what is closed again is told after what was opened", file: "gate.ts", from: "if (this.#opening) this.#untold = true;\n\t\telse this", to: "this" },
	{ rule: "reflex: strict asks at a boundary", file: "reflex.ts", from: "if (this.#lease()?.mode !== \"strict\") return;", to: "return;" },
	{ rule: "reflex: brake does not ask at a boundary", file: "reflex.ts", from: "if (this.#lease()?.mode !== \"strict\") return;", to: "" },
	{ rule: "reflex: strict asks anew at each boundary", file: "reflex.ts", from: "else if (hold.said === \"nothing\") this.#ask(hold, event);", to: "" },
	{ rule: "reflex: closed stays closed", file: "reflex.ts", from: "lease?.mode === \"strict\" && lease.failClosed", to: "false" },
	{ rule: "reflex: closed asks again", file: "reflex.ts", from: "&& hold.said === \"silence\") this.#ask(hold, hold.event);", to: "&& hold.said === \"silence\") return;" },
	{ rule: "reflex: the lease ends the hold", file: "reflex.ts", from: "if (!this.#lease()) this.#leaseIsOver();\n", to: "if (false) ;\n" },
	{ rule: "reflex: a lease that is over", file: "lease.ts", from: "until_ms > nowMs && ", to: "" },
	{ rule: "reflex: a lease that is too long", file: "lease.ts", from: " && until_ms <= nowMs + LONGEST_MS", to: "" },
	{ rule: "reflex: nothing where no line can be shown", file: "reflex.ts", from: "return this.effects.terminalIsOurs() && this.#lease()", to: "return this.#lease()" },
	{ rule: "reflex: no hold while another program has the terminal", file: "reflex.ts", from: "else if (!this.effects.terminalIsOurs()) this.#letGo();", to: "" },
	{ rule: "reflex: holds nobody at the end", file: "agent.ts", from: "guarded(() => reflex.stop(), this.effects.report)();", to: "" },
	{ rule: "reflex: pause before run", file: "ask.ts", from: "[\"pause\", \"run\", \"unknown\"]", to: "[\"run\", \"pause\", \"unknown\"]" },
	{ rule: "reflex: a wake-up that is not accepted", file: "wake.ts", from: "code === 0 ? resolve() : runInstead()", to: "resolve()" },
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
