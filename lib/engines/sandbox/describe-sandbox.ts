/** How engines are isolated and limited on this machine, as text for its operator. */

export interface SandboxReport {
  /** `full`: no network, and only the job's folder is visible. `off`: plain child processes. */
  readonly sandbox: "full" | "off";
  readonly limits: {
    /** What stops an engine that uses too much memory. */
    readonly memory: Limiter;
    /** What stops an engine that starts too many processes. */
    readonly processes: Limiter;
  };
}

/**
 * `cgroup`: the kernel, by a control group. `rlimit`: the kernel, by a limit on the sandbox's user.
 * `watch`: the runner, which checks `/proc` four times per second.
 */
export type Limiter = "cgroup v1" | "cgroup v2" | "rlimit" | "watch";

/** The report as lines; a disabled sandbox adds a warning. */
export function describeSandbox({ sandbox, limits }: SandboxReport): string[] {
  const lines =
    sandbox === "full"
      ? ["Sandbox: on. Engines have no network and can access only their job's folder."]
      : [
          "WARNING: engines run without a sandbox (SANDBOX=off, or bubblewrap does not work here).",
          "A malicious file could read every file that this user can read.",
        ];
  const method = (limiter: Limiter) =>
    limiter === "watch"
      ? "checked four times per second (no control group is writable here)"
      : `limited by the kernel (${limiter})`;
  const { memory, processes } = limits;
  if (memory === processes) return [...lines, `Their memory and processes are ${method(memory)}.`];
  return [...lines, `Their memory is ${method(memory)}, their processes are ${method(processes)}.`];
}
