import { release, totalmem } from "node:os";
import { env } from "#lib/env.ts";
import { hasFilter } from "#lib/formats/seccomp/filter.ts";
import type { SandboxLevel } from "#lib/sandbox-level.ts";
import { ControlGroups, removeStaleGroups } from "./cgroup.ts";
import { type CgroupParent, findCgroupParents, readCgroupInfo } from "./cgroup-hierarchies.ts";
import type { Limiter, SandboxReport } from "./describe-sandbox.ts";
import { closeForkServer } from "./fork-server/command-starter.ts";
import { hardLimits, minOpenFiles } from "./hard-limits.ts";
import { closeSandboxServer } from "./native/sandbox-server.ts";
import { canIsolate, canLimitMemory, canPrepare, canStart } from "./self-test.ts";
import type { Sandbox } from "./spawn.ts";
import { closeZygotes, zygoteOf, zygotePrograms } from "./zygote/zygotes.ts";

/** Detects, once per process, how engines can be isolated and limited on this machine. */

/** The hard limit of open files is too low. */
export class OpenFilesError extends Error {
  override readonly name = "OpenFilesError";
}

/** This machine cannot run sandboxed processes at a level that `SANDBOX` allows. */
export class SandboxMissingError extends Error {
  override readonly name = "SandboxMissingError";
}

/** The share of the memory that all engines together may use; the rest is for the service. */
const enginesMemoryShare = 0.8;

let current: Promise<Sandbox> | undefined;

/**
 * The sandbox of this process. Throws `SandboxMissingError` if what `SANDBOX` asks for is not
 * possible, or `OpenFilesError`.
 */
export function currentSandbox(): Promise<Sandbox> {
  current ??= chooseSandbox();
  return current;
}

/** Whether a run of `program` is a copy of a zygote. Throws what `currentSandbox` throws. */
export async function isCopied(program: string): Promise<boolean> {
  return (await zygoteOf(await currentSandbox(), program)) !== undefined;
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

/** Ends the fork server and removes the control groups of this process. Engines that still run are killed. */
export async function closeSandbox(): Promise<void> {
  const closing = await current?.catch(() => undefined);
  current = undefined;
  await closeZygotes();
  await closeSandboxServer();
  await closeForkServer();
  await closing?.groups?.close();
}

async function chooseSandbox(): Promise<Sandbox> {
  requireOpenFiles();
  const { level, prepares } = await detectLevel();
  // Without a user namespace, all processes of the user count together.
  const countsProcessesPerSandbox = level === "full" && kernelCountsPerSandbox();
  const isolation = { level, prepares, countsProcessesPerSandbox, zygotePrograms };
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

/** Throws `OpenFilesError` if no engine and no larger number of jobs could run. */
function requireOpenFiles(): void {
  const { nofile } = hardLimits();
  if (nofile >= minOpenFiles) return;
  throw new OpenFilesError(
    `the limit of open files is ${nofile}, but at least ${minOpenFiles} are needed: raise the hard limit (ulimit -Hn, LimitNOFILE, --ulimit nofile)`,
  );
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

/** The levels that `SANDBOX` allows, from the strongest on. */
const candidates = {
  auto: ["full", "strict", "off"],
  required: ["full", "strict"],
  full: ["full"],
  strict: ["strict"],
  off: ["off"],
} as const satisfies Record<typeof env.SANDBOX, readonly SandboxLevel[]>;

/** The strongest allowed level that works here, and whether sandboxes can be copies of templates. */
async function detectLevel(): Promise<Pick<Sandbox, "level" | "prepares">> {
  for (const level of candidates[env.SANDBOX]) {
    if (level === "off" && !(await canStart())) {
      throw new SandboxMissingError(
        "engines do not start: prlimit (util-linux) fails or is missing",
      );
    }
    if (level === "off") return { level };
    if (process.platform !== "linux" || !hasFilter()) continue;
    if (level === "full" && (await canPrepare()) && (await canIsolate({ level, prepares: true })))
      return { level, prepares: true };
    if (await canIsolate({ level })) return { level };
  }
  throw new SandboxMissingError(
    `SANDBOX=${env.SANDBOX}, but ${failures[env.SANDBOX]}; see docs/self-hosting.md`,
  );
}

const withBubblewrap = "bubblewrap cannot create a sandbox on this machine";
const withLandlock = "Landlock cannot restrict engines on this machine";

const failures: Readonly<Record<typeof env.SANDBOX, string>> = {
  auto: "",
  required: `${withBubblewrap}, and ${withLandlock}`,
  full: withBubblewrap,
  strict: withLandlock,
  off: "",
};
