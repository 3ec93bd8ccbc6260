/** What the status file says of a live agent: the mailbox knows of pauses, the reflex of what comes before them. */
import type { Attended } from "./attended.ts";
import type { Mailbox } from "./mailbox.ts";
import type { Reflex } from "./reflex.ts";

export function published(mailbox: Mailbox, reflex: Reflex, attended: Attended): object {
	const state = mailbox.state;
	const running = state.state === "running";
	const braked = running && reflex.braked;
	return {
		...state,
		...(braked ? { state: "braked", shown: "line" } : {}),
		problem: state.problem ?? (running ? reflex.problem : null),
		attended: attended.count,
		reflex: reflex.state,
	};
}
