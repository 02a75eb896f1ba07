import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";

/** The kernel ends the processes within milliseconds; one that waits for a disk takes longer. */
const maxWaitMs = 10_000;

/** What bubblewrap reports with `--info-fd`, as far as it is used here. */
const infoSchema = z.object({ "child-pid": z.int().positive() });

/**
 * The first process of a sandbox, which bubblewrap starts before the command. The kernel kills all
 * processes of the sandbox with it and waits for them before it counts as ended. The process that
 * the runner starts exits earlier: as soon as the command exits, or when it is killed itself.
 */
export class FirstProcess {
  /** Its process id, as soon as it is known. */
  readonly id: Promise<number>;
  #info = "";
  #id: number | undefined;

  /** `info`: what bubblewrap writes to its `--info-fd`, or the process id. */
  constructor(info: Readable | number) {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.id = promise;
    if (typeof info === "number") {
      this.#id = info;
      resolve(info);
      return;
    }
    info.setEncoding("utf8").on("data", (text: string) => {
      this.#info += text;
      if (!this.#info.trimEnd().endsWith("}")) return;
      this.#id = infoSchema.parse(JSON.parse(this.#info))["child-pid"];
      resolve(this.#id);
    });
  }

  /**
   * Resolves when no process of the sandbox is left. Call it after the started process has closed its
   * pipes. Throws if the processes do not end within 10 s.
   */
  async waitForEnd(): Promise<void> {
    const pid = this.#id;
    // bubblewrap reports it before the command may run, so without a report nothing has run.
    if (pid === undefined) return;
    for (const startedAt = performance.now(); isRunning(pid); await delay(1)) {
      if (performance.now() - startedAt > maxWaitMs) {
        throw new Error("the processes of an engine did not end");
      }
    }
  }
}

/**
 * Whether the process runs: false for one that has ended, even if its parent has not collected its
 * exit code yet.
 */
function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name before it is in parentheses and may contain any character.
    const state = stat.charAt(stat.lastIndexOf(")") + 2);
    return state !== "Z" && state !== "X";
  } catch (error) {
    // ESRCH: it ended between opening and reading the file. What node:fs throws has a code.
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}
