import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { projectFolder } from "#lib/setup/node24.mjs";

/** A file that a command makes. */
export interface GeneratedFile {
  /** Relative to the project. */
  readonly path: string;
  readonly content: string;
}

/** Those whose content on disk is another one, or that do not exist. */
export async function selectStale(files: readonly GeneratedFile[]): Promise<GeneratedFile[]> {
  const stale: GeneratedFile[] = [];
  for (const file of files) {
    const path = join(projectFolder, file.path);
    const current = existsSync(path) ? await readFile(path, "utf8") : undefined;
    if (current !== file.content) stale.push(file);
  }
  return stale;
}

/** Writes those that are stale, and returns their paths. */
export async function writeStale(files: readonly GeneratedFile[]): Promise<string[]> {
  const stale = await selectStale(files);
  for (const { path, content } of stale) {
    await mkdir(dirname(join(projectFolder, path)), { recursive: true });
    await writeFile(join(projectFolder, path), content);
  }
  return stale.map(({ path }) => path);
}
