import { rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Job, Mediamill } from "../../../sdk/src/index.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { notify } from "../terminal/print.ts";

/** Files that are being written: they are deleted if the program ends before that. */
const unfinishedFiles = new Set<string>();

/** Runs `write`, and deletes the file if the program is interrupted meanwhile. */
export async function guardFile<Result>(path: string, write: () => Promise<Result>) {
  unfinishedFiles.add(path);
  try {
    return await write();
  } finally {
    unfinishedFiles.delete(path);
  }
}

let pipeReads = 0;

/** Reads a pipe. Until it has a writer, that blocks a thread, for which `process.exit` would wait. */
export async function readPipe(path: string): Promise<Buffer<ArrayBuffer>> {
  pipeReads++;
  try {
    return Buffer.from(await readFile(path));
  } finally {
    pipeReads--;
  }
}

/** How long the cancelling of jobs may take. */
const cancelMs = 10_000;

/** What Ctrl-C does with the jobs that run. */
export class Interruption {
  readonly #jobs = new Set<string>();
  readonly #created = new Set<Promise<Job>>();
  readonly #client: Mediamill;
  readonly #cancels: boolean;
  isStopping = false;

  /**
   * The constructor takes whether jobs are cancelled. Else they go on, and their ids are printed.
   */
  constructor(client: Mediamill, cancels: boolean) {
    this.#client = client;
    this.#cancels = cancels;
    process.on("SIGINT", () => this.#stop(exitCodes.interrupted));
    process.on("SIGTERM", () => this.#stop(exitCodes.terminated));
  }

  /** Follows the creation of a job. */
  async track(creation: PromiseLike<Job>): Promise<Job> {
    const promise = Promise.resolve(creation);
    this.#created.add(promise);
    try {
      const job = await promise;
      this.#jobs.add(job.id);
      return job;
    } finally {
      this.#created.delete(promise);
    }
  }

  /** The job has ended, or is not waited for any more. */
  forget(id: string): void {
    this.#jobs.delete(id);
  }

  #stop(code: ExitCode): void {
    const isFirst = !this.isStopping;
    this.isStopping = true;
    if (!isFirst || !this.#cancels) this.#exit(code);
    const limit = setTimeout(() => this.#exit(code), cancelMs);
    void this.#cancelAll().finally(() => {
      clearTimeout(limit);
      this.#exit(code);
    });
  }

  async #cancelAll(): Promise<void> {
    notify("Cancelling. Press Ctrl-C again to end at once.");
    // A job whose creation is under way can be cancelled only when its id is known.
    await Promise.allSettled(this.#created);
    await Promise.allSettled(
      [...this.#jobs].map(async (id) => {
        await this.#client.jobs.cancel(id);
        this.#jobs.delete(id);
        notify(`Cancelled ${id}.`);
      }),
    );
  }

  #exit(code: ExitCode): never {
    for (const path of unfinishedFiles) rmSync(path, { force: true });
    if (this.#jobs.size > 0) {
      const ids = [...this.#jobs].join(" ");
      notify(
        `These jobs go on: ${ids}. \`mediamill jobs get\` and \`jobs cancel\` take their ids.`,
      );
    }
    if (pipeReads > 0) process.kill(process.pid, "SIGKILL");
    process.exit(code);
  }
}
