import { existsSync, watch } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "#lib/setup/node24.mjs";

/** The sources of the runners. Next.js watches the web app itself. */
const folders = ["lib", "inngest", "scripts"];

/** An editor writes several files at once, and some editors write each file twice. */
const debounceMs = 200;

/** Calls `onChange` after the runners' sources have changed. */
export function watchSources(onChange: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  for (const folder of folders.map((name) => join(projectFolder, name)).filter(existsSync)) {
    watch(folder, { recursive: true }, (_event, file) => {
      if (!file?.endsWith(".ts")) return;
      clearTimeout(timer);
      timer = setTimeout(onChange, debounceMs);
    }).unref();
  }
}
