import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** What was made from sources: these folders, and what the set-up compiles. */
const made = /^(?:dist|node_modules|__pycache__)$|\.(?:so|bin)$/;

/** Source files under `path`, in order, without tests: a changed test needs no new build. */
export function listFiles(path: string): string[] {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry?.isDirectory()) return listFolder(path);
  return entry === undefined || isTest(path) ? [] : [path];
}

const isTest = (path: string) => path.endsWith(".test.ts");

/** Each start lists thousands of files, so it asks the system about folders, not about files. */
function listFolder(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(
    ({ name }) => !made.test(name),
  );
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFolder(path);
    if (entry.isSymbolicLink()) return listFiles(path);
    return isTest(path) ? [] : [path];
  });
}
