import { filterOf } from "#lib/formats/seccomp/filter.ts";
import { sandboxFolder, sandboxVariables } from "./bubblewrap/arguments.ts";
import type { FirstProcess } from "./bubblewrap/first-process.ts";
import { NotStartedError } from "./fork-server/fork-server.ts";
import type { ForkedProcess } from "./fork-server/forked-process.ts";
import { numberLimits } from "./hard-limits.ts";
import { killProcessGroup } from "./running-process.ts";
import { type Bounds, firstDescriptor, type SpawnRequest, type Started } from "./start-command.ts";
import { startFull } from "./start-prepared.ts";
import { relayAddress } from "./view/sandbox-view.ts";
import type { CopyRequest } from "./zygote/zygote-request.ts";
import { findZygote, type Zygote } from "./zygote/zygotes.ts";

/** The sandbox of a copy ended before the copy ran in it, because its first process was killed or could not start. */
export class SandboxEndedError extends Error {
  override readonly name = "SandboxEndedError";
}

/**
 * Says that the sandbox is complete, and keeps it until its input ends. A relay, which starts it, replaces the address by
 * its own.
 */
const keeperCommand = {
  command: "sh",
  args: ["-c", 'echo "$1"; read -r _', "sh", relayAddress],
} as const;

/**
 * Starts a copy of a zygote in a sandbox of its own. Rejects with `NotStartedError` if the zygote cannot make one, and
 * with `SandboxEndedError` if the sandbox ended.
 */
export async function startCopy(
  { zygote, prepares }: { zygote: Zygote; prepares: boolean },
  request: SpawnRequest,
  bounds: Bounds,
  groups: readonly string[],
): Promise<Started> {
  const { command, args, folder, extraPipes: _, ...view } = request;
  const keeping = { ...view, folder, ...keeperCommand };
  const { child: keeper, end } = await startFull(prepares, keeping, {}, groups);
  try {
    const { sandbox, address } = await waitForKeeper(keeper, end.first);
    const child = await startIn(zygote, {
      sandbox,
      folder: sandboxFolder,
      sockets: firstDescriptor(request),
      filter: filterOf(request),
      groups,
      limits: numberLimits(bounds),
      variables: { ...sandboxVariables, ...request.variables },
      args: [command, ...args.map((text) => atAddress(text, address))],
    });
    return { child, end: { ...end, keeper } };
  } catch (error) {
    killProcessGroup(keeper);
    if (error instanceof SandboxEndedError || error instanceof NotStartedError) throw error;
    throw new SandboxEndedError("the sandbox of an engine ended", { cause: error });
  }
}

/** Starts a copy of a zygote, or of the next one if the zygote is replaced or has ended meanwhile. */
async function startIn(zygote: Zygote, request: CopyRequest): Promise<ForkedProcess> {
  try {
    return await zygote.start(request);
  } catch (error) {
    const next = await findZygote(request.args[0] ?? "");
    if (!next || next === zygote) throw error;
    return next.start(request);
  }
}

/** bubblewrap takes some milliseconds, and more only if the machine does nothing else either. */
const maxKeeperMs = 30_000;

function atAddress(text: string, address: string): string {
  return text.startsWith(relayAddress) ? address + text.slice(relayAddress.length) : text;
}

/** A process in the sandbox: the keeper itself, or the first one if only bubblewrap knows the keeper. */
async function insideOf(keeper: ForkedProcess, first?: FirstProcess): Promise<number | undefined> {
  return keeper.command === keeper.pid ? first?.id : keeper.command;
}

interface KeptSandbox {
  /** The id of a process in it. */
  readonly sandbox: number;
  /** What replaces `relayAddress` in it. */
  readonly address: string;
}

/** Resolves when the view of the sandbox is complete. */
async function waitForKeeper(
  keeper: ForkedProcess,
  first: FirstProcess | undefined,
): Promise<KeptSandbox> {
  let errors = "";
  keeper.stderr.on("data", (chunk: Buffer) => {
    errors = (errors + chunk.toString("utf8")).slice(-1000);
  });
  const address = await new Promise<string | undefined>((resolve) => {
    let line = "";
    keeper.stdout.on("data", (chunk: Buffer) => {
      line += chunk.toString("utf8");
      if (line.endsWith("\n")) resolve(line.trim());
    });
    keeper.once("close", () => resolve(undefined));
    setTimeout(() => resolve(undefined), maxKeeperMs).unref();
  });
  // bubblewrap reports it before the command may run.
  const sandbox = address === undefined ? undefined : await insideOf(keeper, first);
  if (address !== undefined && sandbox !== undefined) return { sandbox, address };
  throw new SandboxEndedError(`the sandbox of an engine failed: ${errors.trim()}`);
}
