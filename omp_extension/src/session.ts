/** Who this process is, and in which panes of which sessions it was started. */
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import type { Host } from "./config.ts";
import type { Place } from "./documents.ts";
import { encode, sessionKey } from "./names.ts";

/** This process in one session of a host, with its files. */
export interface Seat extends Place {
	readonly host: string;
	readonly address: string;
	readonly statusFile: string;
	readonly mailbox: string;
}

/** One seat for each host whose variables are set: of a multiplexer inside another one both are. */
export function seats(hosts: readonly Host[], environment: Readonly<Record<string, string | undefined>>, state: string, pid: number): Seat[] {
	return hosts.flatMap(host => {
		const pane = environment[host.pane];
		const address = addressOf(host, environment[host.address]);
		return pane && address ? [seat(host.host, address, pane, state, pid)] : [];
	});
}

function addressOf(host: Host, value: string | undefined): string | undefined {
	return value && host.addressPattern ? host.addressPattern.exec(value)?.[1] : value;
}

function seat(host: string, address: string, pane: string, state: string, pid: number): Seat {
	const session = sessionKey(host, address);
	const folder = path.join(state, "sessions", session);
	const name = `${encode(pane)}.${pid}`;
	return {
		host,
		address,
		session,
		pane,
		statusFile: path.join(folder, "agents", `${name}.json`),
		mailbox: path.join(folder, "mailbox", name),
	};
}

export interface ProcessIdentity {
	readonly pid: number;
	readonly started: { readonly ticks?: number; readonly ms: number };
	readonly tty: string | null;
}

export function thisProcess(): ProcessIdentity {
	const ticks = startTicks();
	const ms = Math.round(Date.now() - process.uptime() * 1000);
	return { pid: process.pid, started: ticks === null ? { ms } : { ticks, ms }, tty: terminal() };
}

function startTicks(): number | null {
	try {
		return ticksOf(fs.readFileSync("/proc/self/stat", "utf8"));
	} catch {
		return null;
	}
}

/** Field 22. The second field is the program's name in parentheses and may hold anything, spaces and parentheses too. */
export function ticksOf(stat: string): number | null {
	const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
	return Number.isSafeInteger(ticks) ? ticks : null;
}

function terminal(): string | null {
	if (process.platform === "win32") return null;
	try {
		const device = fs.readlinkSync("/proc/self/fd/0");
		return device.startsWith("/dev/") ? device : null;
	} catch {
		return askTty();
	}
}

function askTty(): string | null {
	try {
		const device = execFileSync("tty", { stdio: ["inherit", "pipe", "ignore"], encoding: "utf8", timeout: 1_000 }).trim();
		return device.startsWith("/dev/") ? device : null;
	} catch {
		return null;
	}
}

/** Why the state folder may not be used; null: it may. It is made if it is missing. */
export function whyRefused(state: string): string | null {
	fs.mkdirSync(state, { recursive: true, mode: 0o700 });
	if (process.platform === "win32") return null; // a user's profile folder is the user's alone
	const found = fs.statSync(state);
	if (found.uid !== process.getuid?.()) return `the state folder ${state} belongs to another user`;
	return found.mode & 0o022 ? `others can write to the state folder ${state}: run chmod 700 ${state}` : null;
}
