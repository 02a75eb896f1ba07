import { once } from "node:events";
import { createServer } from "node:net";
import { release, totalmem } from "node:os";
import { env } from "#lib/env.ts";
import { ControlGroups, removeAbandonedGroups } from "./cgroup.ts";
import { type CgroupPlace, findCgroupPlaces, readCgroupFacts } from "./cgroup-hierarchies.ts";
import type { Limiter, SandboxReport } from "./report.ts";
import { type RunningProcess, type Sandbox, spawnProcess, type UseLimits } from "./spawn.ts";

/** How engines are kept apart and limited on this machine: found out by trying, once. */

/** What cannot be had on this machine though `SANDBOX=required` asks for it. */
export class SandboxMissingError extends Error {
  override readonly name = "SandboxMissingError";
}

/** All engines together may use this share of the memory that there is; the rest is for the service. */
const enginesShare = 0.8;

const testLimits: UseLimits = {
  memoryBytes: 64 * 2 ** 20,
  limitsAddressSpace: false,
  processes: 64,
  cpuSeconds: 5,
  fileBytes: 0,
  openFiles: 64,
};

const testTimeoutMs = 10_000;

let chosen: Promise<Sandbox> | undefined;

/** The sandbox in force. Throws `SandboxMissingError` where `SANDBOX=required` cannot be kept. */
export function currentSandbox(): Promise<Sandbox> {
  chosen ??= chooseSandbox();
  return chosen;
}

/** What is in force, for operators. Throws what `currentSandbox` throws. */
export async function reportSandbox(): Promise<SandboxReport> {
  const { isolated, countsOwnProcesses, groups } = await currentSandbox();
  const limiter = (controller: "memory" | "pids", otherwise: Limiter): Limiter =>
    groups?.controllers.has(controller) ? `cgroup v${groups.version}` : otherwise;
  const limits = {
    memory: limiter("memory", "watch"),
    processes: limiter("pids", countsOwnProcesses ? "rlimit" : "watch"),
  };
  return { sandbox: isolated ? "full" : "off", limits };
}

/** Takes away what the sandbox has left in the system. Engines that still run are killed. */
export async function closeSandbox(): Promise<void> {
  const closing = await chosen?.catch(() => undefined);
  chosen = undefined;
  await closing?.groups?.close();
}

async function chooseSandbox(): Promise<Sandbox> {
  const isolated = env.SANDBOX !== "off" && (await isolates());
  if (!isolated && env.SANDBOX === "required") {
    const why = "bubblewrap cannot make a sandbox on this machine";
    throw new SandboxMissingError(`SANDBOX=required, but ${why}; see docs/architecture.md`);
  }
  const isolation = { isolated, countsOwnProcesses: isolated && countsBySandbox() };
  const facts = readCgroupFacts();
  const places = facts ? findCgroupPlaces(facts) : [];
  removeAbandonedGroups(places);
  for (const version of [2, 1] as const) {
    const groups = openGroups(places.filter((place) => place.version === version));
    if (!groups) continue;
    if (await limitsMemory({ ...isolation, groups })) return { ...isolation, groups };
    await groups.close();
  }
  return { ...isolation, groups: undefined };
}

/** Since Linux 5.14 each user namespace counts its own processes; of root's, none are counted. */
function countsBySandbox(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return process.getuid?.() !== 0 && (major > 5 || (major === 5 && minor >= 14));
}

function openGroups([first, ...others]: readonly CgroupPlace[]): ControlGroups | undefined {
  if (!first) return undefined;
  try {
    const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
    return new ControlGroups([first, ...others], Math.floor(memory * enginesShare));
  } catch {
    // It looked as if groups could be made there, and they cannot: the next way is tried.
    return undefined;
  }
}

/**
 * Whether a process in bubblewrap reads what it may, and neither reads nor reaches what it may not: a
 * file of the system, a port on loopback that the same command reaches from outside.
 */
async function isolates(): Promise<boolean> {
  if (process.platform !== "linux") return false;
  let visits = 0;
  const server = createServer((socket) => socket.destroy(void visits++)).listen(0, "127.0.0.1");
  try {
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const reach = ["bash", "-c", `exec 3<>/dev/tcp/127.0.0.1/${port}`] as const;
    const inside = { isolated: true, countsOwnProcesses: false, groups: undefined };
    const outcomes = await Promise.all([
      succeeds(inside, "cat", "/usr/bin/env"),
      succeeds(inside, "cat", "/etc/passwd"),
      succeeds(inside, ...reach),
    ]);
    const reachable = await succeeds({ ...inside, isolated: false }, ...reach);
    return `${outcomes}` === "true,false,false" && reachable && visits <= 1;
  } finally {
    server.close();
  }
}

/** Whether a process that allocates more than its limit is ended, and it is told why. */
async function limitsMemory(sandbox: Sandbox): Promise<boolean> {
  const allocate = start(sandbox, "dd", "if=/dev/zero", "of=/dev/null", "bs=256M", "count=500");
  await ending(allocate);
  return allocate.outOfMemory;
}

async function succeeds(sandbox: Sandbox, command: string, ...args: string[]): Promise<boolean> {
  return (await ending(start(sandbox, command, ...args))) === 0;
}

function start(sandbox: Sandbox, command: string, ...args: string[]): RunningProcess {
  return spawnProcess(sandbox, { command, args, folder: "/usr/share" }, testLimits);
}

/** The exit code; null where it was ended or could not be started. */
async function ending(running: RunningProcess): Promise<number | null> {
  const { child } = running;
  child.stdin.on("error", () => {}).end();
  child.stdout.resume();
  child.stderr.resume();
  const timer = setTimeout(() => running.kill(), testTimeoutMs);
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once("error", () => resolve(null)).once("close", resolve);
  return promise.finally(() => clearTimeout(timer));
}
