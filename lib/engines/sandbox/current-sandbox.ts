import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { startDeadline } from "#lib/deadline.ts";
import { env } from "#lib/env.ts";
import type { SandboxLevel } from "#lib/sandbox-level.ts";
import { ControlGroups, removeStaleGroups } from "./cgroup.ts";
import { type CgroupParent, findCgroupParents, readCgroupInfo } from "./cgroup-hierarchies.ts";
import type { Limiter, SandboxReport } from "./describe-sandbox.ts";
import { removeIrregularEntries } from "./left-entries.ts";
import { hasFilter } from "./seccomp/open-filter.ts";
import {
  type ResourceLimits,
  type RunningProcess,
  type Sandbox,
  type SpawnRequest,
  spawnProcess,
} from "./spawn.ts";

/** Detects, once per process, how engines can be isolated and limited on this machine. */

/** `SANDBOX=required` is set, but this machine cannot run sandboxed processes. */
export class SandboxMissingError extends Error {
  override readonly name = "SandboxMissingError";
}

/** The share of the memory that all engines together may use; the rest is for the service. */
const enginesMemoryShare = 0.8;

const probeLimits: ResourceLimits = {
  memoryBytes: 64 * 2 ** 20,
  limitsAddressSpace: false,
  processes: 64,
  cpuSeconds: 5,
  fileBytes: 0,
  openFiles: 64,
};

const probeTimeoutMs = 10_000;

let current: Promise<Sandbox> | undefined;

/**
 * The sandbox of this process. Throws `SandboxMissingError` if `SANDBOX=required` is not possible.
 */
export function currentSandbox(): Promise<Sandbox> {
  current ??= chooseSandbox();
  return current;
}

/** How engines are isolated and limited, for operators. Throws what `currentSandbox` throws. */
export async function reportSandbox(): Promise<SandboxReport> {
  const { level, countsProcessesPerSandbox, groups } = await currentSandbox();
  const limiter = (controller: "memory" | "pids", fallback: Limiter): Limiter =>
    groups?.controllers.has(controller) ? `cgroup v${groups.version}` : fallback;
  const limits = {
    memory: limiter("memory", "watch"),
    processes: limiter("pids", countsProcessesPerSandbox ? "rlimit" : "watch"),
  };
  const sandboxFailed = level === "off" && env.SANDBOX !== "off";
  return { sandbox: level, sandboxFailed, isRoot: process.getuid?.() === 0, limits };
}

/** Removes the control groups of this process. Engines that still run are killed. */
export async function closeSandbox(): Promise<void> {
  const closing = await current?.catch(() => undefined);
  current = undefined;
  await closing?.groups?.close();
}

async function chooseSandbox(): Promise<Sandbox> {
  const level = env.SANDBOX === "off" ? "off" : await detectLevel();
  if (level !== "full" && env.SANDBOX === "required") {
    const action = level === "off" ? "create a sandbox" : "filter the system calls of engines";
    const reason = `bubblewrap cannot ${action} on this machine`;
    throw new SandboxMissingError(`SANDBOX=required, but ${reason}; see docs/architecture.md`);
  }
  const countsProcessesPerSandbox = level !== "off" && kernelCountsPerSandbox();
  const isolation = { level, countsProcessesPerSandbox };
  const info = readCgroupInfo();
  const parents = info ? findCgroupParents(info) : [];
  removeStaleGroups(parents);
  for (const version of [2, 1] as const) {
    const groups = createGroups(parents.filter((parent) => parent.version === version));
    if (!groups) continue;
    if (await canLimitMemory({ ...isolation, groups })) return { ...isolation, groups };
    await groups.close();
  }
  return { ...isolation, groups: undefined };
}

/** Since Linux 5.14, RLIMIT_NPROC counts per user namespace. It never applies to root. */
function kernelCountsPerSandbox(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return process.getuid?.() !== 0 && (major > 5 || (major === 5 && minor >= 14));
}

function createGroups([first, ...others]: readonly CgroupParent[]): ControlGroups | undefined {
  if (!first) return undefined;
  try {
    const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
    return new ControlGroups([first, ...others], Math.floor(memory * enginesMemoryShare));
  } catch {
    // The folder looked writable, but the kernel rejected the group. The next version is tried.
    return undefined;
  }
}

/** The strongest level that works here. */
async function detectLevel(): Promise<SandboxLevel> {
  if (process.platform !== "linux") return "off";
  if (hasFilter() && (await canIsolate("full"))) return "full";
  return (await canIsolate("unfiltered")) ? "unfiltered" : "off";
}

/**
 * Whether bubblewrap isolates a process: it must read a file that is bound into the sandbox, must
 * not read another system file, and must not connect to a loopback port that is reachable from
 * outside. It must be able to leave a link in a writable folder, but not in a read-only one, and the
 * check must remove it. With a filter, it must not create an Internet socket either.
 */
async function canIsolate(level: "full" | "unfiltered"): Promise<boolean> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  try {
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const run = (command: string, ...args: string[]) => ({ command, args });
    // The loopback interface of a sandbox is its own. Sockets are allowed here, so that the network
    // is tested and not the filter.
    const connect = run("bash", "-c", `exec 3<>/dev/tcp/127.0.0.1/${port}`);
    const sandbox = { level, countsProcessesPerSandbox: false, groups: undefined };
    const outcomes = await Promise.all([
      succeeds(sandbox, run("cat", "/usr/bin/env")),
      succeeds(sandbox, run("cat", "/etc/passwd")),
      succeeds(sandbox, { ...connect, usesLoopback: true }),
      // Without a filter, this succeeds: a UDP socket is connected without a packet.
      level === "full" && succeeds(sandbox, run("bash", "-c", "exec 3<>/dev/udp/127.0.0.1/9")),
    ]);
    const isReachable = await succeeds({ ...sandbox, level: "off" }, connect);
    const isIsolated = `${outcomes}` === "true,false,false,false";
    return isIsolated && isReachable && connections <= 1 && (await canCheckEntries(sandbox));
  } finally {
    server.close();
  }
}

/** Whether a link that a process leaves is possible in a writable folder only, and is found there. */
async function canCheckEntries(sandbox: Sandbox): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "mediamill-self-test-"));
  const writable = ["out"];
  try {
    await mkdir(join(folder, "out"));
    const link = (path: string): Probe => ({
      command: "ln",
      args: ["-s", "/", path],
      folder,
      writable,
    });
    const inside = await succeeds(sandbox, link("out/link"));
    const outside = await succeeds(sandbox, link("link"));
    const isFound = await removeIrregularEntries({ folder, writable });
    return inside && !outside && isFound && !(await removeIrregularEntries({ folder, writable }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether a process that allocates more than its limit is killed and reported as out of memory. */
async function canLimitMemory(sandbox: Sandbox): Promise<boolean> {
  const args = ["if=/dev/zero", "of=/dev/null", "bs=256M", "count=500"];
  const allocate = start(sandbox, { command: "dd", args });
  await waitForExit(allocate);
  return allocate.outOfMemory;
}

type Probe = Omit<SpawnRequest, "folder"> & Partial<Pick<SpawnRequest, "folder">>;

async function succeeds(sandbox: Sandbox, probe: Probe): Promise<boolean> {
  return (await waitForExit(start(sandbox, probe))) === 0;
}

function start(sandbox: Sandbox, probe: Probe): RunningProcess {
  return spawnProcess(sandbox, { folder: "/usr/share", ...probe }, probeLimits);
}

/** The exit code; null if the process was killed or could not be started. */
async function waitForExit(running: RunningProcess): Promise<number | null> {
  const { child } = running;
  child.stdin.on("error", () => {}).end();
  child.stdout.resume();
  child.stderr.resume();
  const cancelDeadline = startDeadline({ timeoutMs: probeTimeoutMs }, () => running.kill());
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once("error", () => resolve(null)).once("close", resolve);
  return promise.finally(cancelDeadline);
}
