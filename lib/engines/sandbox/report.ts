/** How engines are isolated and limited on a machine, in words for its operator. */

export interface SandboxReport {
  /** `full`: no network, and nothing to see but the job's folder. `off`: plain child processes. */
  readonly sandbox: "full" | "off";
  readonly limits: {
    /** What ends an engine that uses too much memory. */
    readonly memory: Limiter;
    /** What ends one that starts too many processes. */
    readonly processes: Limiter;
  };
}

/** The kernel, by control groups or by a limit on the sandbox's user; or the runner, which looks four times a second. */
export type Limiter = "cgroup v1" | "cgroup v2" | "rlimit" | "watch";

/** One line, or more where there is something to worry about. */
export function describeSandbox({ sandbox, limits }: SandboxReport): string[] {
  const lines =
    sandbox === "full"
      ? ["Sandbox: on. Engines have no network and see nothing but their job's folder."]
      : [
          "WARNING: engines run without a sandbox (SANDBOX=off, or bubblewrap does not work here).",
          "A malicious file could read what this user can read.",
        ];
  const how = (limiter: Limiter) =>
    limiter === "watch"
      ? "watched four times a second (no control group is writable here)"
      : `limited by the kernel (${limiter})`;
  const { memory, processes } = limits;
  if (memory === processes) return [...lines, `Their memory and processes are ${how(memory)}.`];
  return [...lines, `Their memory is ${how(memory)}, their processes are ${how(processes)}.`];
}
