/** Requests to the resident controller: one line, one connection, an answer that ends with `end CODE`. */
import * as net from "node:net";
import type { Files } from "./files.ts";
import { guarded, type Report } from "./log.ts";

export type Address = { readonly path: string } | { readonly host: string; readonly port: number; readonly token: string };

/** Values are encoded here; of several values for one name the last counts. */
export type Values = Readonly<Record<string, string | number>>;

export interface Hearer {
	/** One line of the answer before its end. */
	line(text: string): void;
	/** Called once. null: there is no controller, it has died, or it takes too long. */
	end(code: number | null): void;
}

export type Dial = (verb: string, values: Values, boundMs: number, hearer: Hearer) => void;

/** When the event loop was blocked the time is over before the answer that lies there has been read: it gets one more turn. */
export const GRACE_MS = 10;
/** Longer answers come from something that is no controller. */
const LONGEST = 64 * 1024;

/** `serve.addr`: `unix PATH` or `tcp HOST PORT TOKEN`. null: no address. */
export function parseAddress(text: string): Address | null {
	const line = text.split("\n", 1)[0]?.replace(/\r$/, "") ?? "";
	if (line.startsWith("unix ") && line.length > 5) return { path: line.slice(5) };
	const [kind, host, port, token] = line.split(" ");
	if (kind !== "tcp" || host !== "127.0.0.1" || !/^[0-9]{1,5}$/.test(port ?? "") || !token) return null;
	return { host, port: Number(port), token };
}

export function requestLine(verb: string, values: Values): string {
	const words = Object.entries(values).map(([name, value]) => `${name}=${encodeValue(String(value))}`);
	return `${[verb, ...words].join(" ")}\n`;
}

function encodeValue(value: string): string {
	return encodeURIComponent(value.toWellFormed())
		.replace(/[!'()*]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
		.replaceAll("%2F", "/")
		.replaceAll("%3A", ":");
}

/** The values of a line `WORD name=value …`; a value that cannot be decoded is left out. */
export function valuesOf(words: readonly string[]): ReadonlyMap<string, string> {
	const found = new Map<string, string>();
	for (const word of words) {
		const cut = word.indexOf("=");
		if (cut <= 0) continue;
		try {
			found.set(word.slice(0, cut), decodeURIComponent(word.slice(cut + 1)));
		} catch {
			continue;
		}
	}
	return found;
}

/** Ask the controller whose address stands in `file`. Nothing is waited for, and nothing is thrown. */
export function dialer(files: Files, file: string, later: (ms: number, act: () => void) => void, report: Report): Dial {
	return (verb, values, boundMs, hearer) => {
		const exchange = new Exchange(hearer, report);
		try {
			const address = parseAddress(files.read(file) ?? "");
			if (address) exchange.start(address, requestLine(verb, "token" in address ? { token: address.token, ...values } : values));
			else return exchange.end(null);
			later(boundMs, () => later(GRACE_MS, () => exchange.end(null)));
		} catch (error) {
			report(error);
			exchange.end(null);
		}
	};
}

class Exchange {
	#socket: net.Socket | null = null;
	#ended = false;
	#text = "";
	readonly #line: (text: string) => void;
	readonly #end: (code: number | null) => void;

	constructor(hearer: Hearer, report: Report) {
		this.#line = guarded(text => hearer.line(text), report);
		this.#end = guarded(code => hearer.end(code), report);
	}

	start(address: Address, line: string): void {
		const socket = net.connect("path" in address ? { path: address.path } : { host: address.host, port: address.port });
		this.#socket = socket;
		socket.setEncoding("utf8");
		socket.on("error", () => this.end(null)); // also of one that is refused: whoever asked has another way
		socket.on("close", () => this.end(null));
		socket.on("data", text => this.#heard(String(text)));
		socket.unref();
		socket.write(line);
	}

	end(code: number | null): void {
		if (this.#ended) return;
		this.#ended = true;
		this.#socket?.destroy();
		this.#end(code);
	}

	#heard(text: string): void {
		const lines = (this.#text + text).split("\n");
		this.#text = lines.pop() ?? "";
		if (this.#text.length > LONGEST) this.end(null);
		for (const line of lines) {
			if (this.#ended) return;
			const end = /^end ([0-9]{1,3})\r?$/.exec(line);
			if (end) this.end(Number(end[1]));
			else this.#line(line.replace(/\r$/, ""));
		}
	}
}
