import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import type { SandboxLevel } from "#lib/sandbox-level.ts";
import { ForkServer } from "../fork-server/fork-server.ts";
import type { ServerProgram } from "../fork-server/server-program.ts";
import { findCompiled } from "../native/compiled.ts";
import { type CopyRequest, encodeCopyRequest } from "./zygote-request.ts";

/**
 * Zygotes are processes of programs that are linked and initialized, but do not run yet. Each run of the program is a
 * copy of its zygote, so that it is linked once and not for each run.
 */

export type Zygote = ForkServer<CopyRequest>;

const fewArenas = { MALLOC_ARENA_MAX: "2" } as const;

/**
 * The variables that libraries read when they are linked. Those of a copy come too late for them, so they are set for the
 * zygote, too.
 */
const linkVariables = new Map<string, Readonly<Record<string, string>>>([
  ["ffmpeg", fewArenas],
  ["ffprobe", fewArenas],
  ["vips", fewArenas],
  ["vipsheader", fewArenas],
  ["tesseract", { OMP_THREAD_LIMIT: "1" }],
  ["gs", {}],
]);

/** The programs whose linking takes longer than their start in any other way. */
export const zygotePrograms: ReadonlySet<string> = new Set(linkVariables.keys());

/**
 * All copies of a zygote have the same layout of their memory, which the kernel chooses at random for each program. An
 * attacker who has found out one must start again after so many.
 */
const maxCopies = 500;

/** The longest command line of a copy that lists of processes show. */
const shownLength = 4000;

/** The zygotes by their programs; undefined for a program that cannot have one. */
const zygotes = new Map<string, Promise<Zygote | undefined>>();

let idleTimer: NodeJS.Timeout | undefined;

/** The zygote of a program; undefined if it is linked for each run on this machine. */
export async function findZygote(program: string): Promise<Zygote | undefined> {
  const zygote = await (zygotes.get(program) ?? launch(program));
  if (!zygote) return undefined;
  stopWhenIdle();
  if (zygote.startCount < maxCopies) return zygote;
  zygote.retire();
  return findZygote(program);
}

/** The zygote of which a run of `program` in a sandbox is a copy; undefined if it is executed. */
export async function zygoteOf(
  {
    level,
    zygotePrograms: programs,
  }: { level: SandboxLevel; zygotePrograms?: ReadonlySet<string> },
  program: string,
): Promise<Zygote | undefined> {
  return level === "full" && programs?.has(program) ? findZygote(program) : undefined;
}

/** Executes a program for a minute, because its zygote cannot make copies. */
export function pauseZygote(program: string): void {
  const paused = Promise.resolve(undefined);
  zygotes.set(program, paused);
  const resume = () => {
    if (zygotes.get(program) === paused) zygotes.delete(program);
  };
  setTimeout(resume, 60_000).unref();
}

/** Ends all zygotes, and all copies that still run. */
export async function closeZygotes(): Promise<void> {
  clearTimeout(idleTimer);
  const closing = [...zygotes.values()];
  zygotes.clear();
  for (const zygote of closing) await (await zygote)?.close();
}

function launch(program: string): Promise<Zygote | undefined> {
  const library = findCompiled("zygote.so");
  const launched = library ? launchWith(program, library) : Promise.resolve(undefined);
  zygotes.set(program, launched);
  return launched;
}

function launchWith(program: string, library: string): Promise<Zygote | undefined> {
  const server: ServerProgram<CopyRequest> = {
    command: program,
    args: (socket) => [socket, " ".repeat(shownLength)],
    variables: { ...linkVariables.get(program), LD_PRELOAD: library, LANG: "C.UTF-8" },
    encode: encodeCopyRequest,
    reportsReady: true,
  };
  const forget = () => {
    if (zygotes.get(program) === launched) zygotes.delete(program);
  };
  const launched = ForkServer.launch(server, forget).catch((err: unknown) => {
    log.warn({ err, program }, "this program is linked again for each run, which takes longer");
    // The next run would fail to launch it, too.
    zygotes.set(program, Promise.resolve(undefined));
    return undefined;
  });
  return launched;
}

/** Ends the zygotes that nothing has used for `ENGINE_IDLE_SECONDS`; 0 keeps them. */
function stopWhenIdle(): void {
  clearTimeout(idleTimer);
  if (env.ENGINE_IDLE_SECONDS === 0) return;
  idleTimer = setTimeout(() => void retireIdle(), env.ENGINE_IDLE_SECONDS * 1000).unref();
}

async function retireIdle(): Promise<void> {
  const all = await Promise.all(zygotes.values());
  if (all.some((zygote) => zygote?.isBusy)) return stopWhenIdle();
  for (const zygote of all) zygote?.retire();
}
