/** Watch a folder for new files, also after it was removed and made again. */
import * as fs from "node:fs";
import type { Report } from "./log.ts";

export class FolderWatch {
	#watcher: fs.FSWatcher | null = null;
	#watched = "";

	constructor(
		private readonly folder: string,
		private readonly onChange: () => void,
		private readonly report: Report,
	) {}

	/** Watch the folder that is there now. To be called again and again: a watcher does not notice that its folder is another one. */
	arm(): void {
		try {
			const made = fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
			const found = identityOf(this.folder);
			if (this.#watcher && !made && found === this.#watched) return;
			this.close();
			this.#watcher = fs.watch(this.folder, { persistent: false }, this.onChange);
			this.#watcher.on("error", error => {
				this.report(error);
				this.close();
			});
			this.#watched = found;
		} catch (error) {
			this.report(error);
			this.close();
		}
	}

	close(): void {
		this.#watcher?.close();
		this.#watcher = null;
	}
}

/** A file system may give a new folder the number of the one that was just removed. */
function identityOf(folder: string): string {
	const found = fs.statSync(folder, { bigint: true });
	return `${found.ino} ${found.birthtimeNs}`;
}
