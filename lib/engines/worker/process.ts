import { join } from "node:path";
import { projectFolder } from "../sandbox/bubblewrap.ts";
import { startEngine } from "../sandbox/process.ts";
import type { SpawnRequest, UseLimits } from "../sandbox/spawn.ts";
import { LineProcess, type LineReply } from "../warm/line-process.ts";
import type { WarmWorker } from "../warm/pool.ts";
import { Slot } from "../warm/slot.ts";

/** Node, the code and the packages, to the first `{"ready":true}`. */
const startTimeoutMs = 30_000;

/** 100 megapixels of 16-bit RGBA are 0.8 GB; an operation may hold three copies of them. */
const memoryBytes = 3 * 2 ** 30;

/** Of JavaScript's own memory: the structure of a large PDF needs most of it. */
const heapMegabytes = 1536;

/** Above any image that 100 megapixels can make; stops a writer that never ends. */
const fileBytes = 4 * 2 ** 30;

/** A warm image process in its sandbox and the slot folder it works in. */
export class ImageWorker implements WarmWorker {
  readonly slot: Slot;
  readonly #process: LineProcess;

  private constructor(slot: Slot, process: LineProcess) {
    this.slot = slot;
    this.#process = process;
  }

  /** Rejects where it does not start. */
  static async start(limits: Partial<UseLimits> = {}): Promise<ImageWorker> {
    const slot = await Slot.create("image");
    const running = await startEngine(imageCommand(slot.root), {
      memoryBytes,
      fileBytes,
      ...limits,
    });
    try {
      return new ImageWorker(slot, await LineProcess.open("image", running, startTimeoutMs));
    } catch (cause) {
      running.kill();
      await slot.remove();
      // No file has been read yet: this is no job's doing.
      throw new Error("an image worker did not start", { cause });
    }
  }

  get healthy(): boolean {
    return this.#process.healthy;
  }

  /** Rejects with `EngineError` where the process ended, was too slow or was stopped. */
  request(
    message: unknown,
    options: { timeoutMs: number; signal: AbortSignal; onProgress?: (percent: number) => void },
  ): Promise<LineReply> {
    return this.#process.request(message, options);
  }

  reset(): Promise<void> {
    return this.slot.empty();
  }

  async close(): Promise<void> {
    this.#process.close();
    await this.slot.remove();
  }
}

/** How an image worker is started on the slot folder `folder`, and what it sees. */
export function imageCommand(folder: string): SpawnRequest {
  const project = projectFolder();
  const read = ["lib", "node_modules", "package.json"].map((name) => join(project, name));
  return {
    command: process.execPath,
    args: [`--max-old-space-size=${heapMegabytes}`, join(import.meta.dirname, "program.ts")],
    folder,
    readable: [...read, process.execPath],
    // Standard output is the protocol's; fewer arenas keep a long life's memory in few pieces.
    variables: { LOG_LEVEL: "silent", MALLOC_ARENA_MAX: "2" },
  };
}
