/** Names made from ids, and the key of a session: the rules of docs/reference/state-files.md, as the Python side has them. */
import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";

const BARE = /^[a-z0-9_-]$/;
const RESERVED = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;
const LONGEST = 120;
const KEPT = 100;

/** A file name for any id, safe also where case is ignored, devices have names, or a colon opens a stream. */
export function encode(id: string): string {
	let name = Array.from(Buffer.from(id, "utf8"), encodeByte).join("");
	if (RESERVED.test(name)) name = escapeByte(name.charCodeAt(0)) + name.slice(1);
	return name.length > LONGEST ? `${name.slice(0, KEPT)}~${digest(id)}` : name;
}

export function sessionKey(host: string, address: string): string {
	return `${host}-${digest(canonicalAddress(address))}`;
}

/** One spelling for the address of a session, so that all parts compute the same key. */
export function canonicalAddress(address: string): string {
	if (address.startsWith("/")) return resolveFolder(address);
	if (/^(?:[A-Za-z]:|\\)/.test(address)) return address.replace(/[A-Z]/g, letter => letter.toLowerCase()).replaceAll("/", "\\");
	return address;
}

function resolveFolder(address: string): string {
	const cut = address.lastIndexOf("/");
	const folder = address.slice(0, cut);
	return isFolder(folder) ? `${realpathSync(folder)}/${address.slice(cut + 1)}` : address;
}

function isFolder(path: string): boolean {
	try {
		return statSync(path).isDirectory();
	} catch {
		return false;
	}
}

function encodeByte(byte: number): string {
	const character = String.fromCharCode(byte);
	return BARE.test(character) ? character : escapeByte(byte);
}

function escapeByte(byte: number): string {
	return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

function digest(text: string): string {
	return createHash("sha256").update(text, "utf8").digest("hex").slice(0, 16);
}
