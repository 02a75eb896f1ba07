import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** What was made from sources: these folders, and what the set-up compiles. */
const made = /^(?:dist|node_modules|__pycache__)$|\.(?:so|bin)$/;

/** Source files under `path`, in order, without tests: a changed test needs no new build. */
export function listFiles(path: string): string[] {
  if (!existsSync(path) || path.endsWith(".test.ts")) return [];
  if (statSync(path).isFile()) return [path];
  const entries = readdirSync(path).filter((name) => !made.test(name));
  return entries.sort().flatMap((entry) => listFiles(join(path, entry)));
}
