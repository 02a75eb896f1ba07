import { randomBytes } from "node:crypto";
import { copyFile, link, lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { EngineError } from "./errors.ts";
import { LineProcess, type LineReply } from "./line-process.ts";
import { watchMemory } from "./memory-watch.ts";
import { ownPath } from "./own-folder.ts";
import { startEngine } from "./process.ts";
import { projectFolder } from "./sandbox.ts";
import type { WarmWorker } from "./warm-pool.ts";
import type { WorkFile } from "./work-folder.ts";

/** Node, the code and the packages, to the first `{"ready":true}`. */
const startTimeoutMs = 30_000;

/** 100 megapixels of 16-bit RGBA are 0.8 GB; an operation may hold three copies of them. */
const memoryBytes = 3 * 2 ** 30;

/** Above any image that 100 megapixels can make; stops a writer that never ends. */
const fileBytes = 4 * 2 ** 30;

/**
 * A warm image process in its sandbox and the slot folder it works in. Files go in and out at the
 * top of that folder, never in a part of it: the top is a mount that the process cannot exchange,
 * where a part could become a link that leads us out of the sandbox.
 */
export class ImageWorker implements WarmWorker {
  readonly #slot: string;
  readonly #process: LineProcess;
  readonly #stopWatching: () => void;
  #outOfMemory = false;

  private constructor(slot: string, process: LineProcess) {
    this.#slot = slot;
    this.#process = process;
    this.#stopWatching = watchMemory(process.pid ?? 0, memoryBytes, () => {
      this.#outOfMemory = true;
      process.close();
    });
  }

  /** Rejects where it does not start. */
  static async start(): Promise<ImageWorker> {
    const slot = await makeSlot();
    const project = projectFolder();
    const child = startEngine(
      {
        engine: "image",
        command: process.execPath,
        args: ["--max-old-space-size=512", join(project, "lib/operations/image-worker.ts")],
        folder: slot,
        readable: [
          ...["lib", "node_modules", "package.json"].map((name) => join(project, name)),
          process.execPath,
        ],
        // Standard output is the protocol's; fewer arenas keep a long life's memory in few pieces.
        variables: { LOG_LEVEL: "silent", MALLOC_ARENA_MAX: "2" },
      },
      { fileBytes },
    );
    try {
      return new ImageWorker(slot, await LineProcess.open("image", child, startTimeoutMs));
    } catch (cause) {
      await removeAll(slot);
      // No file has been read yet: this is no job's doing.
      throw new Error("an image worker did not start", { cause });
    }
  }

  get healthy(): boolean {
    return this.#process.healthy;
  }

  /** Makes `file` readable inside as `slotName(file)`, without copying its bytes where that can be. */
  async takeIn(file: WorkFile): Promise<void> {
    const path = join(this.#slot, slotName(file));
    try {
      await link(file.path, path);
    } catch (error) {
      // Another device, or a file system without links.
      if (!["EXDEV", "EPERM", "EMLINK"].includes(codeOf(error))) throw error;
      await copyFile(file.path, path);
    }
  }

  /** Moves what the process left as `name` to `path`. */
  async moveOut(name: string, path: string): Promise<void> {
    const inside = join(this.#slot, name);
    try {
      await rename(inside, path);
    } catch (error) {
      if (codeOf(error) !== "EXDEV") throw error;
      await requireRegular(inside);
      await copyFile(inside, path);
    }
    // A link would have been moved as such, and would be followed by whoever reads it next.
    await requireRegular(path);
  }

  /** Rejects with `EngineError` where the process ended, was too slow or was stopped. */
  async request(
    message: unknown,
    options: { timeoutMs: number; signal: AbortSignal; onProgress?: (percent: number) => void },
  ): Promise<LineReply> {
    try {
      return await this.#process.request(message, options);
    } catch (cause) {
      if (!this.#outOfMemory || !(cause instanceof EngineError)) throw cause;
      throw new EngineError({ engine: "image", signal: "SIGKILL", cause });
    }
  }

  async reset(): Promise<void> {
    const entries = await readdir(this.#slot);
    await Promise.all(entries.map((name) => removeAll(join(this.#slot, name))));
  }

  async close(): Promise<void> {
    this.#stopWatching();
    this.#process.close();
    await removeAll(this.#slot);
  }
}

/** What `file` is called inside: `in-0.png` for `in/0.png`. */
export function slotName(file: Pick<WorkFile, "name">): string {
  return file.name.replaceAll("/", "-");
}

const removeAll = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 });

async function makeSlot(): Promise<string> {
  const slot = ownPath("slots", `image-${randomBytes(6).toString("hex")}`);
  await mkdir(slot, { recursive: true, mode: 0o700 });
  return slot;
}

async function requireRegular(path: string): Promise<void> {
  if ((await lstat(path)).isFile()) return;
  await rm(path, { recursive: true, force: true });
  throw new EngineError({ engine: "image", cause: new Error("an output is not a regular file") });
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ""; // what node:fs throws has a code
}
