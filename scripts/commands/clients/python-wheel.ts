import { hash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";
import { projectFolder } from "#lib/setup/node24.mjs";
import { readProject } from "./python-project.ts";

interface WheelFile {
  /** Its path in the wheel. */
  readonly path: string;
  readonly bytes: Buffer;
}

/** The system's Python, which has the packages of `packageTools`. Others may come first in `PATH`. */
export const python = process.platform === "linux" ? "/usr/bin/python3" : "python3";

const source = join(projectFolder, "packages/python");

/**
 * Writes the wheel of the Python package into `target`, and returns its path. Equal sources make equal bytes.
 * It needs no Python, because a service builds its packages on machines that have none. A test compares the
 * wheel with that of the build backend that `pyproject.toml` names.
 */
export async function buildWheel(target: string): Promise<string> {
  const { name, version, metadata } = readProject(source);
  const info = `${name}-${version}.dist-info`;
  const files = [
    ...listModules(),
    { path: `${info}/METADATA`, bytes: Buffer.from(metadata) },
    { path: `${info}/WHEEL`, bytes: Buffer.from(wheelText) },
  ];
  const record = { path: `${info}/RECORD`, bytes: Buffer.from(writeRecord(files, info)) };
  const path = join(target, `${name}-${version}-py3-none-any.whl`);
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, await zip([...files, record]));
  // A service may be sending the file that is there.
  await rename(unfinished, path);
  return path;
}

const wheelText =
  "Wheel-Version: 1.0\nGenerator: mediamill\nRoot-Is-Purelib: true\nTag: py3-none-any\n";

/** The modules, and what belongs to them, in an order that does not depend on the file system. */
function listModules(): WheelFile[] {
  const root = join(source, "src");
  return globSync("mediamill/**/*.{py,pyi,typed}", { cwd: root })
    .sort()
    .map((path) => ({ path, bytes: readFileSync(join(root, path)) }));
}

/** The list of all files with their digests, itself without one (PEP 376). */
function writeRecord(files: readonly WheelFile[], info: string): string {
  const lines = files.map(
    ({ path, bytes }) => `${path},sha256=${hash("sha256", bytes, "base64url")},${bytes.length}`,
  );
  return `${[...lines, `${info}/RECORD,,`].join("\n")}\n`;
}

/** A fixed time, in local time as a ZIP has it. */
const modifiedAt = new Date(2026, 0, 1);

async function zip(files: readonly WheelFile[]): Promise<Buffer> {
  const archive = new ZipFile();
  const options = { mtime: modifiedAt, mode: 0o100644, forceDosTimestamp: true };
  for (const { path, bytes } of files) archive.addBuffer(bytes, path, options);
  archive.end();
  // yazl declares the stream by its interface; it is a PassThrough.
  return buffer(archive.outputStream as NodeJS.ReadableStream);
}
