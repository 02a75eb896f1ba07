import { once } from "node:events";
import { createServer } from "node:net";
import { release, totalmem } from "node:os";
import { startDeadline } from "#lib/deadline.ts";
import { env } from "#lib/env.ts";
import { ControlGroups, removeStaleGroups } from "./cgroup.ts";
import { type CgroupParent, findCgroupParents, readCgroupInfo } from "./cgroup-hierarchies.ts";
import type { Limiter, SandboxReport } from "./describe-sandbox.ts";
import { type ResourceLimits, type RunningProcess, type Sandbox, spawnProcess } from "./spawn.ts";

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
  const { isolated, countsProcessesPerSandbox, groups } = await currentSandbox();
  const limiter = (controller: "memory" | "pids", fallback: Limiter): Limiter =>
    groups?.controllers.has(controller) ? `cgroup v${groups.version}` : fallback;
  const limits = {
    memory: limiter("memory", "watch"),
    processes: limiter("pids", countsProcessesPerSandbox ? "rlimit" : "watch"),
  };
  return { sandbox: isolated ? "full" : "off", limits };
}

/** Removes the control groups of this process. Engines that still run are killed. */
export async function closeSandbox(): Promise<void> {
  const closing = await current?.catch(() => undefined);
  current = undefined;
  await closing?.groups?.close();
}

async function chooseSandbox(): Promise<Sandbox> {
  const isolated = env.SANDBOX !== "off" && (await canIsolate());
  if (!isolated && env.SANDBOX === "required") {
    const reason = "bubblewrap cannot create a sandbox on this machine";
    throw new SandboxMissingError(`SANDBOX=required, but ${reason}; see docs/architecture.md`);
  }
  const isolation = { isolated, countsProcessesPerSandbox: isolated && kernelCountsPerSandbox() };
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

/**
 * Whether bubblewrap isolates a process: it must read a file that is bound into the sandbox, must
 * not read another system file, and must not connect to a loopback port that is reachable from
 * outside.
 */
async function canIsolate(): Promise<boolean> {
  if (process.platform !== "linux") return false;
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  try {
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const connect = ["bash", "-c", `exec 3<>/dev/tcp/127.0.0.1/${port}`] as const;
    const sandbox = { isolated: true, countsProcessesPerSandbox: false, groups: undefined };
    const outcomes = await Promise.all([
      succeeds(sandbox, "cat", "/usr/bin/env"),
      succeeds(sandbox, "cat", "/etc/passwd"),
      succeeds(sandbox, ...connect),
    ]);
    const isReachable = await succeeds({ ...sandbox, isolated: false }, ...connect);
    return `${outcomes}` === "true,false,false" && isReachable && connections <= 1;
  } finally {
    server.close();
  }
}

/** Whether a process that allocates more than its limit is killed and reported as out of memory. */
async function canLimitMemory(sandbox: Sandbox): Promise<boolean> {
  const allocate = start(sandbox, "dd", "if=/dev/zero", "of=/dev/null", "bs=256M", "count=500");
  await waitForExit(allocate);
  return allocate.outOfMemory;
}

async function succeeds(sandbox: Sandbox, command: string, ...args: string[]): Promise<boolean> {
  return (await waitForExit(start(sandbox, command, ...args))) === 0;
}

function start(sandbox: Sandbox, command: string, ...args: string[]): RunningProcess {
  return spawnProcess(sandbox, { command, args, folder: "/usr/share" }, probeLimits);
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
