import type { SandboxLevel } from "#lib/sandbox-level.ts";

/** How engines are isolated and limited on this machine, as text for its operator. */

export interface SandboxReport {
  readonly sandbox: SandboxLevel;
  /** Whether there is no sandbox although the operator has not turned it off with `SANDBOX=off`. */
  readonly sandboxFailed: boolean;
  /** Whether the process that starts engines is root. */
  readonly isRoot: boolean;
  readonly limits: {
    /** What stops an engine that uses too much memory. */
    readonly memory: Limiter;
    /** What stops an engine that starts too many processes. */
    readonly processes: Limiter;
  };
}

/**
 * What enforces a limit. `cgroup`: the kernel, by a control group. `rlimit`: the kernel, by a limit
 * on the sandbox's user. `watch`: the runner, which checks `/proc` four times per second.
 */
export type Limiter = "cgroup v1" | "cgroup v2" | "rlimit" | "watch";

/** What is off without a sandbox, until the operator decides that it should be on. */
const restrictions = [
  "Sign-up and runs without an account are off. If APP_URL is public, HTML, office, SVG and email",
  "files are rejected too. SANDBOX=off allows all of it.",
];

const isolation = "Engines have no network and can access only their job's folder.";

const descriptions: Readonly<Record<SandboxLevel, readonly string[]>> = {
  full: [`Sandbox: on. ${isolation}`],
  strict: [
    `Sandbox: on (strict). ${isolation} Landlock and a filter of system`,
    "calls isolate them, not namespaces, so they can find out which files and processes exist.",
  ],
  off: [
    "WARNING: engines run without a sandbox (SANDBOX=off, or neither bubblewrap nor Landlock works).",
    "A malicious file could read every file that this user can read, such as the secrets of this",
    "service (SECRET, the database, storage keys), and connect to every server that this machine",
    "can reach.",
  ],
};

const rootWarning = [
  "WARNING: this process is root. An engine that escapes from its sandbox would be root too.",
  "Run it as an ordinary user (see docs/self-hosting.md).",
];

/** The report as lines. Weak isolation and root add warnings. */
export function describeSandbox(report: SandboxReport): string[] {
  const { sandbox, sandboxFailed, isRoot, limits } = report;
  const lines = [...descriptions[sandbox], ...(sandboxFailed ? restrictions : [])];
  if (isRoot) lines.push(...rootWarning);
  const method = (limiter: Limiter) =>
    limiter === "watch"
      ? "checked four times per second (no control group is writable here)"
      : `limited by the kernel (${limiter})`;
  const { memory, processes } = limits;
  if (memory === processes) return [...lines, `Their memory and processes are ${method(memory)}.`];
  return [...lines, `Their memory is ${method(memory)}, their processes are ${method(processes)}.`];
}
