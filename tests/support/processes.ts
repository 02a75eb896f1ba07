import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { onTestFinished } from "vitest";

/** A folder that is removed when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mediamill-scripts-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** The CPU time that this process has used, in seconds: how long work takes, even on a busy machine. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

export interface ProgramExit {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program of this project under test, with its output so far and its exit. */
export class Program {
  readonly child: ChildProcess;
  readonly exited: Promise<ProgramExit>;
  stdout = "";
  stderr = "";

  /**
   * The constructor takes as `prefix` arguments before `node`, for example to change the user. The
   * program is killed when the test ends.
   */
  constructor(
    args: readonly string[],
    variables: Record<string, string | undefined> = {},
    prefix: readonly string[] = [],
  ) {
    const [command = process.execPath, ...rest] = [...prefix, process.execPath, ...args];
    this.child = spawn(command, rest, {
      env: { ...process.env, ...variables },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.child.stdout?.on("data", (chunk: Buffer) => {
      this.stdout += chunk.toString("utf8");
    });
    this.child.stderr?.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString("utf8");
    });
    this.exited = once(this.child, "close").then(([code]) => ({
      code,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
    onTestFinished(() => void this.child.kill("SIGKILL"));
  }

  /** Resolves when stdout contains `text`; rejects with all output if the program exits before. */
  async waitForOutput(text: string): Promise<void> {
    await waitUntil(() => this.stdout.includes(text) || this.child.exitCode !== null);
    if (!this.stdout.includes(text))
      throw new Error(`no "${text}" in: ${this.stdout}${this.stderr}`);
  }
}

export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 20_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`still false after ${timeoutMs} ms: ${condition}`);
    await wait(20);
  }
}

/** Whether a process exists; for a negative id, whether any process of that group exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * The users that run tests about file ownership: the current user and, if that is root, also an
 * unprivileged user. The latter may read the project folder wherever root has put it.
 */
export const users: readonly { readonly user: string; readonly prefix: readonly string[] }[] =
  process.getuid?.() === 0
    ? [
        { user: "root", prefix: [] },
        {
          user: "an unprivileged user",
          prefix: [
            "setpriv",
            "--reuid=65534",
            "--regid=65534",
            "--clear-groups",
            "--inh-caps=+dac_read_search",
            "--ambient-caps=+dac_read_search",
            "--securebits=+no_setuid_fixup",
            "--",
          ],
        },
      ]
    : [{ user: "an unprivileged user", prefix: [] }];

export const unprivilegedUserId = 65534;
