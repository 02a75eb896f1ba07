import { statSync } from "node:fs";
import { join } from "node:path";

/** What the set-up compiles of the programs in this folder, and their sources. */
const sources = {
  "zygote.so": ["zygote.c", "requests.h"],
  "sandboxes.bin": ["sandboxes.c", "requests.h"],
} as const;

/** The path of a compiled program; undefined if the set-up could not compile it, or if it is not of this version. */
export function findCompiled(name: keyof typeof sources): string | undefined {
  const compiled = changedAt(name);
  if (compiled === undefined) return undefined;
  const isCurrent = sources[name].every((source) => compiled >= (changedAt(source) ?? Infinity));
  return isCurrent ? pathOf(name) : undefined;
}

function pathOf(name: string): string {
  return join(/* turbopackIgnore: true */ import.meta.dirname, name);
}

function changedAt(name: string): number | undefined {
  return statSync(/* turbopackIgnore: true */ pathOf(name), { throwIfNoEntry: false })?.mtimeMs;
}
