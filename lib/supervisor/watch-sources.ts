import { existsSync, watch } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "#scripts/setup/node24.mjs";

/** What a runner is made of; Next.js watches the web app itself. */
const folders = ["lib", "inngest", "scripts"];

/** An editor writes several files, and some write each twice. */
const quietMs = 200;

/** Calls `onChange` after sources of the runners changed. */
export function watchSources(onChange: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  for (const folder of folders.map((name) => join(projectFolder, name)).filter(existsSync)) {
    watch(folder, { recursive: true }, (_event, file) => {
      if (!file?.endsWith(".ts")) return;
      clearTimeout(timer);
      timer = setTimeout(onChange, quietMs);
    }).unref();
  }
}
