/** Watch a folder for new files, also after it was removed and made again. */
import * as fs from "node:fs";
import type { Report } from "./log.ts";

export class FolderWatch {
	#watcher: fs.FSWatcher | null = null;
	#inode: bigint | null = null;

	constructor(
		private readonly folder: string,
		private readonly onChange: () => void,
		private readonly report: Report,
	) {}

	/** Watch the folder that is there now. To be called again and again: a watcher does not notice that its folder is another one. */
	arm(): void {
		try {
			fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
			const inode = fs.statSync(this.folder, { bigint: true }).ino;
			if (this.#watcher && inode === this.#inode) return;
			this.close();
			this.#watcher = fs.watch(this.folder, { persistent: false }, this.onChange);
			this.#watcher.on("error", error => {
				this.report(error);
				this.close();
			});
			this.#inode = inode;
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
