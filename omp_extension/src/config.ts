/** `config.json`, written by `attention setup` beside the extension: where the state is, how to wake the controller, who hosts panes. */
import * as path from "node:path";
import { Broken, isObject, parseDocument } from "./documents.ts";
import type { Files } from "./files.ts";
import type { Keys } from "./keys.ts";

/** How a process finds its pane in one kind of host. */
export interface Host {
	readonly host: string;
	/** Name of the environment variable that holds the pane's id. */
	readonly pane: string;
	/** Name of the environment variable that holds the session's address. */
	readonly address: string;
	/** The first group is the address, where the variable holds more than that. */
	readonly addressPattern: RegExp | null;
}

export interface Config {
	readonly agent: string;
	readonly state: string;
	readonly runner: readonly string[];
	readonly hosts: readonly Host[];
	readonly keys: Keys;
}

/** Beside the entry module, or one folder up, where the extension is used as a package. null: not set up. Raises Broken. */
export function loadConfig(files: Files, folder: string): Config | null {
	for (const place of [folder, path.dirname(folder)]) {
		const file = path.join(place, "config.json");
		const text = files.read(file);
		if (text !== null) return parseConfig(text, file);
	}
	return null;
}

function parseConfig(text: string, file: string): Config {
	try {
		const document = parseDocument(text);
		const keys = isObject(document["keys"]) ? document["keys"] : {};
		return {
			agent: textOf(document["agent"] ?? "omp", "agent"),
			state: absolute(textOf(document["state"], "state")),
			runner: listOf(document["runner"], "runner").map(part => textOf(part, "runner")),
			hosts: listOf(document["hosts"], "hosts").map(hostOf),
			keys: {
				look: textOf(keys["look"] ?? "f12", "keys.look"),
				pause: textOf(keys["pause"] ?? "ctrl+alt+p", "keys.pause"),
				resume: textOf(keys["resume"] ?? "ctrl+alt+r", "keys.resume"),
			},
		};
	} catch (error) {
		if (error instanceof Broken) throw new Broken(`${file}: ${error.message}`);
		throw error;
	}
}

function hostOf(found: unknown): Host {
	if (!isObject(found)) throw new Broken("an entry of hosts is no object");
	const pattern = found["address_pattern"] ?? null;
	return {
		host: textOf(found["host"], "hosts.host"),
		pane: textOf(found["pane"], "hosts.pane"),
		address: textOf(found["address"], "hosts.address"),
		addressPattern: pattern === null ? null : patternOf(textOf(pattern, "hosts.address_pattern")),
	};
}

function patternOf(source: string): RegExp {
	try {
		return new RegExp(source);
	} catch (error) {
		throw new Broken(`hosts.address_pattern: ${String(error)}`);
	}
}

function absolute(folder: string): string {
	if (!path.isAbsolute(folder)) throw new Broken("state is no absolute path");
	return folder;
}

function listOf(found: unknown, name: string): unknown[] {
	if (!Array.isArray(found) || found.length === 0) throw new Broken(`${name} is no list with entries`);
	return found;
}

function textOf(found: unknown, name: string): string {
	if (typeof found !== "string" || found === "") throw new Broken(`${name} is no text`);
	return found;
}
