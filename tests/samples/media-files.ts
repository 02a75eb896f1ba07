import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { isAbsolute, join } from "node:path";
import { execProgram } from "./zygote/exec-program.ts";
import { runCopy } from "./zygote/run-copy.ts";

/**
 * Media that ffmpeg makes for tests, files that other programs make, and what ffmpeg and ffprobe read of files. Each
 * start of a program costs more CPU time than most of what tests ask for, so nothing is made or read twice.
 */

/** Files of all runs and all their processes. Nothing may write to a file here. */
const cacheFolder = join(import.meta.dirname, "../../node_modules/.cache/mediamill/fixtures");

const dayMs = 24 * 60 * 60 * 1000;

/** Results that this process keeps, in bytes. */
const maxKeptBytes = 96 * 2 ** 20;

/** Runs ffmpeg without a sandbox, so only for files that tests create. Returns its stdout. */
export function runFfmpeg(args: readonly string[], cwd?: string): Buffer {
  return execProgram("ffmpeg", ["-v", "error", "-nostdin", "-y", ...args], { cwd });
}

/**
 * Makes a file with ffmpeg, whose arguments are `args` without the output. The same arguments and the same
 * content of the files among them return the same file, in later runs, too.
 */
export function makeMedia(extension: string, args: readonly string[]): string {
  const parts = args.map((arg) => (isFile(arg) ? `content ${hashContent(arg)}` : arg));
  const path = join(cacheFolder, `${hash(JSON.stringify([version(), ...parts]))}.${extension}`);
  if (isCached(path)) return path;
  mkdirSync(cacheFolder, { recursive: true });
  // Several processes may make the same file.
  const unfinished = join(cacheFolder, `unfinished-${process.pid}.${extension}`);
  try {
    runFfmpeg([...args, unfinished]);
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return path;
}

/**
 * Makes a file with `make`, which writes it to a path. The same `parts`, all that the file depends on, return the same
 * file, in later runs, too.
 */
export async function makeOnce(
  parts: readonly (string | Buffer)[],
  make: (path: string) => Promise<void>,
): Promise<string> {
  const path = join(cacheFolder, hash(JSON.stringify(parts.map(hash))));
  if (isCached(path)) return path;
  mkdirSync(cacheFolder, { recursive: true });
  // Several processes may make the same file.
  const unfinished = `${path}.${process.pid}`;
  try {
    await make(unfinished);
    renameSync(unfinished, path);
  } finally {
    rmSync(unfinished, { force: true });
  }
  return path;
}

/** Removes files that no run has used for a week. */
export function removeUnusedMedia(): void {
  if (!existsSync(cacheFolder)) return;
  for (const name of readdirSync(cacheFolder)) {
    const path = join(cacheFolder, name);
    const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - modified > 7 * dayMs) rmSync(path, { force: true });
  }
}

const kept = new Map<string, Buffer>();
let keptBytes = 0;

/**
 * Returns what `command` with `args` writes to stdout. It runs again only if a file among `args` has changed.
 */
export function readMedia(command: "ffmpeg" | "ffprobe", args: readonly string[]): Buffer {
  return keep([command, ...args], () =>
    command === "ffmpeg" ? runFfmpeg(args) : execProgram("ffprobe", ["-v", "error", ...args]),
  );
}

/** Returns the log of ffmpeg with `args` from the level `info`, as `readMedia` does. */
export function readLog(args: readonly string[]): string {
  const all = ["-nostdin", "-hide_banner", "-nostats", ...args];
  return keep(["log", ...args], () => runCopy("ffmpeg", all).stderr).toString();
}

function keep(args: readonly string[], read: () => Buffer): Buffer {
  const key = JSON.stringify(args.map((arg) => (isFile(arg) ? stateOf(arg) : arg)));
  const known = kept.get(key);
  if (known) return known;
  const result = read();
  if (keptBytes + result.length > maxKeptBytes) {
    kept.clear();
    keptBytes = 0;
  }
  kept.set(key, result);
  keptBytes += result.length;
  return result;
}

function isFile(arg: string): boolean {
  return isAbsolute(arg) && statSync(arg, { throwIfNoEntry: false })?.isFile() === true;
}

function stateOf(path: string): string {
  const { ino, size, mtimeMs } = statSync(path);
  return `${path} ${ino} ${size} ${mtimeMs}`;
}

const contentHashes = new Map<string, string>();

function hashContent(path: string): string {
  const state = stateOf(path);
  const content = contentHashes.get(state) ?? hash(readFileSync(path));
  contentHashes.set(state, content);
  return content;
}

function hash(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex").slice(0, 32);
}

let foundVersion: string | undefined;

/** Another ffmpeg makes other files. */
function version(): string {
  foundVersion ??= execProgram("ffmpeg", ["-version"]).toString();
  return foundVersion;
}

/** Whether `path` exists. Its time of modification is that of its last use, to a day. */
function isCached(path: string): boolean {
  const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (modified === undefined) return false;
  if (Date.now() - modified > dayMs) utimesSync(path, new Date(), new Date());
  return true;
}
