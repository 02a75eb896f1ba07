import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { runQuietly } from "#lib/setup/command.mjs";
import { fastStart, projectFolder } from "#lib/setup/node24.mjs";
import type { showStep } from "#lib/setup/progress.mjs";
import { listFiles } from "./list-files.ts";

/** What the packages are built from, in addition to the sources of the web app, which have the operations. */
const sources = [
  "packages/cli",
  "packages/mcp",
  "packages/n8n",
  "packages/python",
  "packages/sdk",
  "scripts/commands/clients",
];

/** Whether the packages that `/packages` gives out are current. `appHash` is of the web app's sources. */
export function packagesAreBuilt(appHash: string, root: string = projectFolder): boolean {
  const stampFile = stampFileIn(root);
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === stampOf(appHash, root);
}

/**
 * Builds the packages. Rejects with `SetupError`.
 *
 * @param program what builds them, relative to `root`
 * @param root the project folder; a test passes another one
 */
export async function buildPackages(
  program: string,
  appHash: string,
  show: typeof showStep,
  root: string = projectFolder,
): Promise<void> {
  rmSync(stampFileIn(root), { force: true });
  await show("Building the packages of the clients", (onLine) =>
    runQuietly(process.execPath, [...fastStart, program], { cwd: root, onLine }),
  );
  // Only now, because the build writes some of its sources from the operations.
  writeFileSync(stampFileIn(root), stampOf(appHash, root));
}

const stampFileIn = (root: string) => join(root, "packages", "dist", ".sources");

function stampOf(appHash: string, root: string): string {
  const hash = createHash("sha256").update(appHash);
  for (const file of sources.flatMap((source) => listFiles(join(root, source)))) {
    hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
  }
  return hash.digest("hex");
}
