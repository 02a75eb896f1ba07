import { execFileSync, type SpawnSyncOptions, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs ffmpeg and ffprobe for tests as copies of a process that is linked already. The dynamic linker takes 50 to
 * 70 ms of CPU time for each start of either, which is more than most of what tests ask of them.
 */

const cacheFolder = join(import.meta.dirname, "../../../node_modules/.cache/mediamill/zygote");

type Program = "ffmpeg" | "ffprobe";

interface Built {
  readonly client: string;
  readonly library: string;
}

/** Undefined without a compiler, and where the programs are linked in another way. */
function build(): Built | undefined {
  if (process.platform !== "linux") return undefined;
  const client = compile("client.c");
  const library = compile("zygote.c", "-shared", "-fPIC");
  return client && library ? { client, library } : undefined;
}

/** Returns the path of the compiled program, which later runs find; undefined if it cannot be compiled. */
function compile(name: string, ...options: string[]): string | undefined {
  const source = join(import.meta.dirname, name);
  const version = createHash("sha256").update(readFileSync(source)).digest("hex").slice(0, 16);
  const target = join(cacheFolder, `${name}-${version}`);
  if (existsSync(target)) return target;
  mkdirSync(cacheFolder, { recursive: true });
  // Several processes may compile it.
  const unfinished = `${target}.${process.pid}`;
  const all = ["-O2", "-Wall", "-Wextra", ...options, "-o", unfinished, source];
  if (spawnSync("gcc", all, { stdio: "ignore" }).status !== 0) return undefined;
  renameSync(unfinished, target);
  return target;
}

let built: Built | undefined | null = null;

/** The sockets of the zygotes of this process, by their programs. */
const sockets = new Map<Program, string>();

/** The socket of the zygote of `program`, which starts if there is none. It ends with this process. */
function socketOf(program: Program, { library }: Built): string {
  const known = sockets.get(program);
  if (known) return known;
  const folder = mkdtempSync(join(tmpdir(), "mediamill-zygote-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const socket = join(folder, "socket");
  const env = { ...process.env, LD_PRELOAD: library };
  spawn(program, [socket], { env, stdio: "ignore" })
    .on("error", () => {})
    .unref();
  sockets.set(program, socket);
  return socket;
}

/**
 * The words of a command that runs `program` with `args`, one run of this process at a time. Without a zygote, it is
 * the program itself.
 */
export function commandFor(program: Program, args: readonly string[]): [string, string[]] {
  built = built === null ? build() : built;
  return built
    ? [built.client, [socketOf(program, built), program, ...args]]
    : [program, [...args]];
}

/** Does what `execFileSync` does, with a copy of `program`. */
export function execCopy(
  program: Program,
  args: readonly string[],
  options: SpawnSyncOptions = {},
): Buffer {
  const [command, words] = commandFor(program, args);
  return execFileSync(command, words, { ...options, encoding: "buffer" });
}
