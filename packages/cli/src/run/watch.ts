import { stat } from "node:fs/promises";
import { isRemote } from "./sources.ts";

/** Changes within this time are one. */
const settleMs = 300;

/** Calls `run` after files that the words name have changed, one call at a time. Never resolves. */
export async function watchInputs(
  words: readonly string[],
  isRecursive: boolean,
  run: () => Promise<void>,
): Promise<void> {
  const { watch } = await import("chokidar");
  const folders = new Set<string>();
  for (const word of words) {
    if (word === "-" || isRemote(word)) continue;
    const isThere = await stat(word).catch(() => undefined);
    folders.add(isThere ? word : staticPart(word));
  }
  const options = { ignoreInitial: true, ...(isRecursive ? {} : { depth: 20 }) };
  const watcher = watch([...folders], {
    ...options,
    awaitWriteFinish: { stabilityThreshold: settleMs },
  });
  let isDue = false;
  let isRunning = false;
  const start = async () => {
    if (isRunning) return;
    isRunning = true;
    while (isDue) {
      isDue = false;
      await run();
    }
    isRunning = false;
  };
  await new Promise<void>((_resolve, reject) => {
    watcher.on("error", reject);
    watcher.on("all", (event) => {
      if (event !== "add" && event !== "change") return;
      isDue = true;
      start().catch(reject);
    });
  });
}

/** The folder in which a pattern searches. */
function staticPart(pattern: string): string {
  const parts = pattern.split("/");
  const first = parts.findIndex((part) => /[*?[\]{}!]/.test(part));
  return parts.slice(0, first).join("/") || (pattern.startsWith("/") ? "/" : ".");
}
