import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { onTestFinished } from "vitest";

/** A folder that goes when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "mediamill-scripts-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program of this project under test: what it prints so far, and its end. */
export class Program {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  stdout = "";
  stderr = "";

  /** `prefix`: words before `node`, such as those that change its user. It is killed when the test ends. */
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
    this.finished = once(this.child, "close").then(([code]) => ({
      code,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
    onTestFinished(() => void this.child.kill("SIGKILL"));
  }

  /** Resolves once stdout contains `text`; rejects with all output if the program ends before. */
  async prints(text: string): Promise<void> {
    await waitUntil(() => this.stdout.includes(text) || this.child.exitCode !== null);
    if (!this.stdout.includes(text))
      throw new Error(`no "${text}" in: ${this.stdout}${this.stderr}`);
  }
}

export async function waitUntil(
  isTrue: () => boolean | Promise<boolean>,
  timeoutMs = 20_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`still not so after ${timeoutMs} ms: ${isTrue}`);
    await wait(20);
  }
}

/** Of a negative id: whether any process of that group is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * The users that tests about ownership run as: this one and, from root, an ordinary one as well (who
 * is let through to the project's own folder, wherever root has put it).
 */
export const users: readonly { readonly user: string; readonly prefix: readonly string[] }[] =
  process.getuid?.() === 0
    ? [
        { user: "root", prefix: [] },
        {
          user: "an ordinary user",
          prefix: [
            ...["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"],
            ...["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"],
            ...["--securebits=+no_setuid_fixup", "--"],
          ],
        },
      ]
    : [{ user: "an ordinary user", prefix: [] }];

export const ordinaryUserId = 65534;
