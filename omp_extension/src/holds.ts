/** The holds on disk. Read at every check and never remembered: a hold ends with its file, whoever removes it. */
import * as path from "node:path";
import { type Hold, parseHold } from "./documents.ts";
import type { Files } from "./files.ts";

/** Files that cannot be read as holds count as absent; their owner is the one to mend them. */
export function readHolds(files: Files, folder: string): Hold[] {
	return files
		.names(folder)
		.filter(name => name.endsWith(".json"))
		.map(name => readHold(files, path.join(folder, name)))
		.filter(hold => hold !== null);
}

function readHold(files: Files, file: string): Hold | null {
	try {
		const text = files.read(file);
		return text === null ? null : parseHold(text);
	} catch {
		return null;
	}
}
