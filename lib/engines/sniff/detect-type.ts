import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { JobError } from "#lib/errors.ts";
import type { SniffHints } from "#lib/formats/sniff/sniff.ts";
import type { SizedReader } from "#lib/media/byte-source.ts";
import { type MediaType, mediaType } from "#lib/media/types.ts";
import { projectFolder } from "../sandbox/bubblewrap/arguments.ts";
import { WarmPool } from "../warm/pool.ts";
import type { WarmProcess } from "../warm/warm-process.ts";
import type { DetectRequest, ReadReply, ThreadMessage } from "./messages.ts";

/**
 * Detects types of files in threads. The content of a file decides how long that takes, so it must not
 * block the runner, whose main thread renews the leases of all its jobs.
 */

/** Detection of any known file takes milliseconds. The time of reads by the runner is not included. */
const timeoutMs = 10_000;

/**
 * The number of threads, which is more than one because the reads of a remote file may take long.
 */
const maxThreads = 4;

/** Detects the type of the file at `path`; see `sniffFile`. Throws `JobError("timed_out")` after 10 s. */
export function detectFileType(path: string, hints: SniffHints): Promise<MediaType> {
  return pool.run((thread) => thread.detect({ path, hints }), keepsThread);
}

/** Detects the type of a file that is not on disk; see `sniffReader`. Throws like `reader`, and like `detectFileType`. */
export function detectReaderType(reader: SizedReader, hints: SniffHints): Promise<MediaType> {
  return pool.run((thread) => thread.detect({ size: reader.size, hints }, reader), keepsThread);
}

/** Starts a thread before it is needed. */
export async function warmUpTypeDetection(): Promise<void> {
  await pool.run(async () => {});
}

/** Stops every thread; the next detection starts a new one. */
export function closeTypeDetection(): Promise<void> {
  return pool.close();
}

/** Detection has ended in the thread, too. */
class DetectionError extends Error {}

const keepsThread = (error: unknown) => error instanceof DetectionError;

class DetectionThread implements WarmProcess {
  readonly #worker = new Worker(
    join(projectFolder(), "lib", "engines", "sniff", "thread-program.ts"),
    { resourceLimits: { maxOldGenerationSizeMb: 128 } },
  );
  healthy = true;

  constructor() {
    // An idle thread does not keep the process alive. Errors that nothing awaits are found by `healthy`.
    this.#worker.unref();
    const fail = () => {
      this.healthy = false;
    };
    this.#worker.on("error", fail).on("exit", fail);
  }

  /** `reader` reads the bytes that the thread asks for. */
  async detect(request: DetectRequest, reader?: SizedReader): Promise<MediaType> {
    const worker = this.#worker;
    const { promise, resolve, reject } = Promise.withResolvers<MediaType>();
    const expire = () => {
      const message = "The type of the file could not be detected in time.";
      reject(new JobError("timed_out", message));
    };
    let timer = setTimeout(expire, timeoutMs);
    const read = async (offset: number, length: number) => {
      clearTimeout(timer);
      try {
        const bytes = await reader?.read(offset, length);
        timer = setTimeout(expire, timeoutMs);
        worker.postMessage({ bytes } satisfies ReadReply);
      } catch (error) {
        reject(error);
      }
    };
    const receive = (message: ThreadMessage) => {
      if (message.kind === "read") void read(message.offset, message.length);
      else if (message.kind === "detected") resolve(mediaType(message.type));
      else reject(new DetectionError(message.message));
    };
    const end = () => reject(new Error("the thread that detects types has ended"));
    worker.on("message", receive).on("error", reject).on("exit", end);
    worker.ref();
    worker.postMessage(request);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      worker.off("message", receive).off("error", reject).off("exit", end);
      worker.unref();
    }
  }

  async reset(): Promise<void> {}

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

const pool = new WarmPool({
  engine: "type detection",
  // A thread of this process, in every job.
  isTraced: false,
  size: maxThreads,
  maxUses: Number.POSITIVE_INFINITY,
  start: async () => new DetectionThread(),
  // A thread has the runner's memory, so a new one for each tenant would protect nothing.
  isolatesTenants: false,
});
