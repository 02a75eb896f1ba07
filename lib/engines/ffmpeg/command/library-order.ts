import { mkdir } from "node:fs/promises";
import { log } from "#lib/log.ts";
import type { SandboxedCommand } from "../../sandbox/bubblewrap/arguments.ts";
import { isCopied } from "../../sandbox/current-sandbox.ts";
import { EngineError, EngineMissingError } from "../../sandbox/failures/errors.ts";
import { processPath } from "../../sandbox/folder/process-folder.ts";
import { runEngine } from "../../sandbox/run-engine.ts";

/**
 * A faster start of ffmpeg and ffprobe where they are not copies of a zygote. Distributions link them with some 200 libraries, and the loader
 * searches 43,000 names in these, one library after the other: more than half of the CPU time of a start. The
 * libraries that most names are in are loaded first, so that the search ends early (measured: 48 in place
 * of 72 ms of CPU time a start).
 */

/**
 * The first libraries, by their names before `.so`. No other library may define what one of these does, apart
 * from the C++ templates that each library has a copy of.
 */
const firstLibraries = [
  "libm",
  "libc",
  "libepoxy",
  "libcrypto",
  "libstdc++",
  "libglib-2.0",
  "libavutil",
  "libasound",
  "libgio-2.0",
  "libgnutls",
  "libnettle",
  "libmbedcrypto",
  "libdb-5.3",
  "libcodec2",
  "libunistring",
  "libpango-1.0",
  "libgobject-2.0",
  "libsphinxbase",
  "libdbus-1",
  "libX11",
  "libcairo",
  "libblas",
  "liblapack",
];

type Command = "ffmpeg" | "ffprobe";

const found = new Map<Command, Promise<readonly string[]>>();

/** The command that runs `command` with `args` in the faster way of this machine. */
export async function startFaster(
  command: Command,
  args: readonly string[],
): Promise<SandboxedCommand> {
  return (await isCopied(command)) ? { command, args } : loadLibrariesFirst(command, args);
}

/** The command that runs `command` with `args`, with its libraries in the faster order. */
export async function loadLibrariesFirst(
  command: Command,
  args: readonly string[],
): Promise<SandboxedCommand> {
  const libraries = await librariesToLoadFirst(command);
  if (libraries.length === 0) return { command, args };
  // Set for this command only: prlimit, which starts it, would load them, too.
  return { command: "env", args: [`LD_PRELOAD=${libraries.join(":")}`, command, ...args] };
}

/** The libraries that `command` is linked with and that are loaded first; read once. Empty for a static program. */
export function librariesToLoadFirst(command: Command): Promise<readonly string[]> {
  const known = found.get(command);
  if (known) return known;
  const libraries = readLibraries(command);
  found.set(command, libraries);
  // Not kept, so that the next call tries again.
  libraries.catch(() => found.delete(command));
  return libraries;
}

async function readLibraries(command: Command): Promise<readonly string[]> {
  if (process.platform !== "linux") return [];
  const folder = processPath("libraries");
  await mkdir(folder, { recursive: true });
  try {
    const { stdout } = await runEngine({
      engine: command,
      command: "sh",
      folder,
      writable: [],
      args: ["-c", 'ldd "$(command -v "$1")"', "sh", command],
      limits: { timeoutMs: 20_000 },
    });
    return orderLibraries(stdout.toString("utf8"));
  } catch (error) {
    if (error instanceof EngineMissingError) return [];
    if (!(error instanceof EngineError)) throw error;
    log.debug({ command, err: error }, "libraries not listed, their order stays");
    return [];
  }
}

/** The paths of the first libraries in what ldd(1) lists, in the order of `firstLibraries`. */
export function orderLibraries(listed: string): string[] {
  const paths = new Map(
    [...listed.matchAll(/^\s*(\S+?)\.so\S* => (\/\S+) /gm)].map(([, name, path = ""]) => [
      name,
      path,
    ]),
  );
  return firstLibraries.flatMap((name) => paths.get(name) ?? []);
}
