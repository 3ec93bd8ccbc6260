/**
 * Of this extension, and of the protocol it speaks: mailbox, status file, questions. A field or a word that the other side may
 * leave out or ignore leaves the protocol number as it is; it goes up when an older side would act wrongly.
 */
export const EXTENSION = "0.1.0";
export const PROTOCOL = 1;
export const OLDEST_OMP = "18.1.16";

/** Whether a version like `18.2.3` is `oldest` or newer; what follows the three numbers does not count. */
export function atLeast(version: string, oldest: string): boolean {
	const [a, b] = [numbers(version), numbers(oldest)];
	const at = a.findIndex((part, index) => part !== b[index]);
	return at < 0 || (a[at] ?? 0) > (b[at] ?? 0);
}

function numbers(version: string): number[] {
	return [0, 1, 2].map(index => Number.parseInt(version.split(".")[index] ?? "0", 10) || 0);
}
