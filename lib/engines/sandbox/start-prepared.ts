import { filterOf } from "#lib/formats/seccomp/filter.ts";
import { log } from "#lib/log.ts";
import { sandboxVariables } from "./bubblewrap/arguments.ts";
import { FirstProcess } from "./bubblewrap/first-process.ts";
import {
  canHaveTemplate,
  hasRelay,
  identify,
  makeTemplateCommand,
  relaySocket,
  templateKey,
  viewOfTemplate,
} from "./bubblewrap/template.ts";
import { forkServer } from "./fork-server/command-starter.ts";
import { NotStartedError } from "./fork-server/fork-server.ts";
import { programPath } from "./fork-server/server-program.ts";
import { numberLimits } from "./hard-limits.ts";
import { type SandboxServer, sandboxServer } from "./native/sandbox-server.ts";
import { killProcessGroup } from "./running-process.ts";
import {
  type Bounds,
  firstDescriptor,
  type SpawnRequest,
  type Started,
  startCommand,
} from "./start-command.ts";

/** Starts commands in sandboxes that are copies of templates, which takes a tenth of the time that bubblewrap takes. */

interface Template {
  readonly name: string;
  /** Its first process. */
  readonly pid: number;
  /** Ends what keeps the template. From its first use on, the sandbox server keeps it. */
  readonly release: () => void;
}

/** The templates by their keys, for each sandbox server. */
const templates = new WeakMap<SandboxServer, Map<string, Promise<Template>>>();

/** As many as the sandbox server can keep, less some that are being made. */
const maxTemplates = 48;

/** How long bubblewrap makes sandboxes when one could not be copied. */
const pauseMs = 60_000;

let pausedUntil = 0;

/** Whether bubblewrap makes all sandboxes now, because one could not be copied. */
export function isCopyingPaused(): boolean {
  return performance.now() < pausedUntil;
}

/** Starts a command at the level `full`: in a copy of a template if there can be one, else by bubblewrap. */
export async function startFull(
  prepares: boolean,
  request: SpawnRequest,
  bounds: Bounds,
  groups: readonly string[],
): Promise<Started> {
  if (prepares && canHaveTemplate(request) && !isCopyingPaused()) {
    try {
      const started = await startPrepared(request, bounds, groups);
      if (started) return started;
    } catch (error) {
      if (!(error instanceof NotStartedError)) throw error;
      log.warn({ err: error }, "a sandbox could not be copied; bubblewrap makes them for a minute");
      pausedUntil = performance.now() + pauseMs;
    }
  }
  return startCommand("full", request, bounds, groups);
}

/**
 * Starts a command in a copy of a template; undefined if there is no sandbox server on this machine. Rejects with
 * `NotStartedError` if the command does not run, and with another error if that is not known.
 */
export async function startPrepared(
  request: SpawnRequest,
  bounds: Bounds,
  groups: readonly string[],
): Promise<Started | undefined> {
  const found = await findTemplate(viewOfTemplate(request));
  if (!found) return undefined;
  const { server, template } = found;
  const { name, pid, release } = await template;
  const { folder, writable, usesLoopback = false, variables } = request;
  const [command, ...args] = wordsOf(request);
  const starting = server.start({
    template: { name, pid },
    folder,
    identity: identify(folder) ?? "none",
    relay: hasRelay(request) ? request.connection?.socket : undefined,
    writable,
    usesLoopback,
    sockets: firstDescriptor(request),
    filter: filterOf(request),
    groups,
    limits: numberLimits(bounds),
    variables: { ...sandboxVariables, ...variables },
    command,
    args,
  });
  const child = await starting.finally(release);
  return { child, end: { first: new FirstProcess(child.pid) } };
}

/** The command with its arguments, after the relay that starts it. */
function wordsOf({ command, args, connection }: SpawnRequest): readonly [string, ...string[]] {
  const [relay, ...words] = connection?.relay ?? [];
  if (relay === undefined) return [command, ...args];
  const inside = words.map((word) => (word === connection?.socket ? relaySocket : word));
  return [relay, ...inside, command, ...args];
}

let count = 0;

interface FoundTemplate {
  readonly server: SandboxServer;
  readonly template: Promise<Template>;
}

/** The template for `request`, with the server that keeps it; undefined if there is no sandbox server. */
async function findTemplate(request: SpawnRequest): Promise<FoundTemplate | undefined> {
  const server = await sandboxServer();
  if (!server) return undefined;
  const known = templates.get(server) ?? new Map<string, Promise<Template>>();
  templates.set(server, known);
  const key = templateKey(request);
  const found = known.get(key);
  if (found) return { server, template: found };
  if (known.size >= maxTemplates) {
    // Another one takes its place. It takes no requests any more once nothing of it runs.
    server.retire();
    return findTemplate(request);
  }
  const made = makeTemplate(request);
  known.set(key, made);
  made.catch(() => known.delete(key));
  return { server, template: made };
}

async function makeTemplate(request: SpawnRequest): Promise<Template> {
  const info = 3;
  const keeper = await (await forkServer()).start({
    ...makeTemplateCommand(request, info),
    folder: "/",
    variables: { PATH: programPath },
    sockets: info + 1,
  });
  let errors = "";
  keeper.stderr.on("data", (chunk: Buffer) => {
    errors = (errors + chunk.toString("utf8")).slice(-1000);
  });
  const isComplete = await new Promise<boolean>((resolve) => {
    keeper.stdout.once("data", () => resolve(true));
    keeper.once("close", () => resolve(false));
  });
  const report = keeper.stdio.at(-1);
  if (!isComplete || !report) throw new NotStartedError(`no template: ${errors.trim()}`);
  let isRunning = true;
  keeper.once("exit", () => {
    isRunning = false;
  });
  const release = () => {
    if (isRunning) killProcessGroup(keeper);
  };
  return { name: `${++count}`, pid: await new FirstProcess(report).id, release };
}
