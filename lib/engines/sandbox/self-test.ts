import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDeadline } from "#lib/deadline.ts";
import { log } from "#lib/log.ts";
import type { SandboxLevel } from "#lib/sandbox-level.ts";
import { removeIrregularEntries } from "./left-entries.ts";
import {
  type ResourceLimits,
  type RunningProcess,
  type Sandbox,
  type SpawnRequest,
  spawnProcess,
} from "./spawn.ts";
import { limitsOf } from "./start-command.ts";
import { isCopyingPaused, startPrepared } from "./start-prepared.ts";

/** Tries what a sandbox must allow and forbid, with real processes. */

const probeLimits: ResourceLimits = {
  memoryBytes: 64 * 2 ** 20,
  limitsAddressSpace: false,
  processes: 64,
  cpuSeconds: 5,
  fileBytes: 0,
  openFiles: 64,
};

const probeTimeoutMs = 10_000;

/** What a process must be able to do (`true`) or must not. */
interface Attempt {
  readonly probe: Probe;
  readonly allowed: boolean;
}

interface Isolation {
  readonly level: Exclude<SandboxLevel, "off">;
  readonly prepares?: boolean;
}

const run = (command: string, ...args: string[]): Probe => ({ command, args });

/**
 * Whether engines are isolated at `level`: a process must read a file that it may read, must not read
 * another one, and must not connect to a loopback port that is reachable from outside. It must be able
 * to leave an entry in a writable folder, but not in a read-only one, and the check must remove it.
 */
export async function canIsolate({ level, prepares = false }: Isolation): Promise<boolean> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  try {
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const connect = run("bash", "-c", `exec 3<>/dev/tcp/127.0.0.1/${port}`);
    const sandbox = { level, prepares, countsProcessesPerSandbox: false, groups: undefined };
    const attempts: readonly Attempt[] = [
      { probe: run("cat", "/usr/bin/env"), allowed: true },
      { probe: run("cat", "/etc/passwd"), allowed: false },
      // A UDP socket is connected without a packet.
      { probe: run("bash", "-c", "exec 3<>/dev/udp/127.0.0.1/9"), allowed: false },
      ...(level === "full" ? fullAttempts(connect) : strictAttempts(connect)),
    ];
    const results = attempts.map(async ({ probe, allowed }) => {
      return (await succeeds(sandbox, probe)) === allowed;
    });
    const isReachable = await succeeds({ ...sandbox, level: "off" }, connect);
    const isIsolated = (await Promise.all(results)).every(Boolean);
    const succeeded =
      isIsolated && isReachable && connections <= 1 && (await canCheckEntries(sandbox));
    // If one sandbox could not be copied, bubblewrap has made the others, and no copy was tested.
    return succeeded && !(prepares && isCopyingPaused());
  } finally {
    server.close();
  }
}

/**
 * The loopback interface of this sandbox is its own. Sockets are allowed here, so that the network is
 * tested and not the filter.
 */
function fullAttempts(connect: Probe): Attempt[] {
  return [{ probe: { ...connect, usesLoopback: true }, allowed: false }];
}

/** Processes share the system: they must not reach this one, whose environment contains the secrets. */
function strictAttempts(connect: Probe): Attempt[] {
  const { pid } = process;
  const connection = { family: "ipv4", socket: join(tmpdir(), "missing.sock"), relay: [] } as const;
  return [
    { probe: connect, allowed: false },
    { probe: { ...connect, connection }, allowed: false },
    { probe: run("cat", `/proc/${pid}/environ`), allowed: false },
    { probe: run("bash", "-c", `kill -0 ${pid}`), allowed: false },
    { probe: run("setsid", "--wait", "true"), allowed: false },
  ];
}

/** Whether an entry that a process leaves is possible in a writable folder only, and is found there. */
async function canCheckEntries(sandbox: Sandbox): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "mediamill-self-test-"));
  const writable = ["out"];
  try {
    await mkdir(join(folder, "out"));
    const leave = (command: string, ...args: string[]) =>
      succeeds(sandbox, { ...run(command, ...args), folder, writable });
    const link = (path: string) => leave("ln", "-s", "/", path);
    const makeFolder = (path: string) => leave("mkdir", path);
    // At the level `strict`, links are not possible at all.
    const isStrict = sandbox.level === "strict";
    const inside = isStrict ? !(await link("out/a")) && makeFolder("out/b") : link("out/a");
    const outside = isStrict ? makeFolder("b") : link("a");
    if (!(await inside) || (await outside)) return false;
    const isFound = await removeIrregularEntries({ folder, writable });
    return isFound && !(await removeIrregularEntries({ folder, writable }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether sandboxes can be copies of templates on this machine. */
export async function canPrepare(): Promise<boolean> {
  const request = { ...run("true"), folder: "/usr/share", writable: [] };
  try {
    const started = await startPrepared(request, limitsOf(probeLimits, false), []);
    if (!started) return false;
    const { promise, resolve } = Promise.withResolvers<number | null>();
    started.child.once("close", resolve);
    return (await promise) === 0;
  } catch (err) {
    log.info(
      { err },
      "sandboxes cannot be copied on this machine; bubblewrap makes them one by one",
    );
    return false;
  }
}

/** Whether a process starts at all with limits, without a sandbox. */
export function canStart(): Promise<boolean> {
  const sandbox = { level: "off", countsProcessesPerSandbox: false, groups: undefined } as const;
  return succeeds(sandbox, run("true"));
}

/** Whether a process that allocates more than its limit is killed and reported as out of memory. */
export async function canLimitMemory(sandbox: Sandbox): Promise<boolean> {
  const args = ["if=/dev/zero", "of=/dev/null", "bs=256M", "count=500"];
  const allocate = await start(sandbox, { command: "dd", args });
  await waitForExit(allocate);
  return allocate.outOfMemory;
}

type Probe = Omit<SpawnRequest, "folder"> & Partial<Pick<SpawnRequest, "folder">>;

async function succeeds(sandbox: Sandbox, probe: Probe): Promise<boolean> {
  return (await waitForExit(await start(sandbox, probe))) === 0;
}

function start(sandbox: Sandbox, probe: Probe): Promise<RunningProcess> {
  return spawnProcess(sandbox, { folder: "/usr/share", ...probe }, probeLimits);
}

/** The exit code; null if the process was killed. */
async function waitForExit(running: RunningProcess): Promise<number | null> {
  const { child } = running;
  child.stdin.on("error", () => {}).end();
  child.stdout.resume();
  child.stderr.resume();
  const cancelDeadline = startDeadline({ timeoutMs: probeTimeoutMs }, () => running.kill());
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once("close", resolve);
  return promise.finally(cancelDeadline);
}
