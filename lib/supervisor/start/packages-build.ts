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

const folder = join(projectFolder, "packages", "dist");
const stampFile = join(folder, ".sources");

/** Whether the packages that `/packages` gives out are current. `appHash` is of the web app's sources. */
export function packagesAreBuilt(appHash: string): boolean {
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === stampOf(appHash);
}

/** Builds the packages with `program`, whose path is relative to the project folder. */
export async function buildPackages(
  program: string,
  appHash: string,
  show: typeof showStep,
): Promise<void> {
  rmSync(stampFile, { force: true });
  await show("Building the packages of the clients", (onLine) =>
    runQuietly(process.execPath, [...fastStart, program], {
      cwd: projectFolder,
      onLine,
    }),
  );
  // Only now, because the build writes some of its sources from the operations.
  writeFileSync(stampFile, stampOf(appHash));
}

function stampOf(appHash: string): string {
  const hash = createHash("sha256").update(appHash);
  for (const file of sources.flatMap((source) => listFiles(join(projectFolder, source)))) {
    hash.update(`\0${relative(projectFolder, file)}\0`).update(readFileSync(file));
  }
  return hash.digest("hex");
}
