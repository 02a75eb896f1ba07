import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs programs for tests as copies of a process that is linked already. The dynamic linker takes 50 to 70 ms of CPU
 * time for each start of ffmpeg or ffprobe and 10 ms for one of qpdf or poppler, which is more than most of what tests
 * ask of them.
 */

const cacheFolder = join(import.meta.dirname, "../../../node_modules/.cache/mediamill/zygote");

const programs = ["ffmpeg", "ffprobe", "qpdf", "pdftotext", "pdfinfo", "pdftoppm", "env"] as const;

type Program = (typeof programs)[number];

/** Whether copies of the program are run; others are run by `env`. */
export const isLinkedOnce = (command: string): command is Program =>
  programs.some((program) => program === command);

export interface CopyRun {
  /** The code with which the program ended; undefined if a signal ended it. */
  readonly exitCode: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** What the program wrote to descriptor 3. */
  readonly third: Buffer;
}

/** A process that starts the copies. It ends with this process. */
interface Zygote {
  /** The folder of its pipes, and of what a copy writes. */
  readonly folder: string;
  readonly request: number;
  readonly reply: number;
}

/** Undefined without a compiler, and where the programs are linked in another way. */
function buildLibrary(): string | undefined {
  if (process.platform !== "linux") return undefined;
  const source = join(import.meta.dirname, "zygote.c");
  const version = createHash("sha256").update(readFileSync(source)).digest("hex").slice(0, 16);
  const target = join(cacheFolder, `zygote.c-${version}`);
  // Runs of the same version find it.
  if (existsSync(target)) return target;
  mkdirSync(cacheFolder, { recursive: true });
  // Several processes may compile it.
  const unfinished = `${target}.${process.pid}`;
  const options = ["-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", unfinished, source];
  if (spawnSync("gcc", options, { stdio: "ignore" }).status !== 0) return undefined;
  renameSync(unfinished, target);
  return target;
}

/** The zygotes of this process by their programs; undefined for one that cannot start. */
const zygotes = new Map<Program, Zygote | undefined>();

/** The folders of the zygotes of this process. */
const folders: string[] = [];

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

function zygoteOf(program: Program): Zygote | undefined {
  if (!zygotes.has(program)) zygotes.set(program, startZygote(program));
  return zygotes.get(program);
}

function startZygote(program: Program): Zygote | undefined {
  const library = buildLibrary();
  if (!library) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "mediamill-zygote-"));
  if (folders.push(folder) === 1) process.on("exit", removeFolders);
  const env = { ...process.env, LD_PRELOAD: library };
  const child = spawn(program, [folder], { env, stdio: "ignore" });
  child.on("error", () => {}).unref();
  // The program is not installed.
  if (child.pid === undefined) return undefined;
  const pipe = (name: string) => join(folder, name);
  for (let waits = 0; !existsSync(pipe("request")); waits++) {
    if (waits === 2000) return undefined;
    waitMs(5);
  }
  return { folder, request: openSync(pipe("request"), "w"), reply: openSync(pipe("reply"), "r") };
}

function waitMs(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Runs `program` with `args` in the folder `cwd`. */
export function runCopy(program: Program, args: readonly string[], cwd = process.cwd()): CopyRun {
  const zygote = zygoteOf(program);
  if (!zygote) return runProgram(program, args, cwd);
  const texts = Buffer.from([cwd, program, ...args].map((text) => `${text}\0`).join(""));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(texts.length);
  const request = Buffer.concat([length, texts]);
  for (let sent = 0; sent < request.length; ) sent += writeSync(zygote.request, request, sent);
  const status = Buffer.alloc(4);
  if (readSync(zygote.reply, status) !== 4) throw new Error(`the zygote of ${program} ended`);
  const [stdout, stderr, third] = ["1", "2", "3"].map((name) => {
    const path = join(zygote.folder, name);
    const bytes = readFileSync(path);
    rmSync(path);
    return bytes;
  }) as [Buffer, Buffer, Buffer]; // one for each name
  // As waitpid(2) encodes it: the low byte is the signal, the next one the code.
  const code = status.readInt32LE();
  const exitCode = (code & 0x7f) === 0 ? (code >> 8) & 0xff : undefined;
  return { exitCode, stdout, stderr, third };
}

function runProgram(program: Program, args: readonly string[], cwd: string): CopyRun {
  const stdio = ["ignore", "pipe", "pipe", "pipe"] as const;
  const run = spawnSync(program, args, { cwd, stdio: [...stdio], maxBuffer: 2 ** 28 });
  if (run.error) throw run.error;
  const [, stdout, stderr, third] = run.output as unknown as [null, Buffer, Buffer, Buffer]; // by `stdio`
  return { exitCode: run.status ?? undefined, stdout, stderr, third };
}
