import { existsSync } from "node:fs";
import { join } from "node:path";
import { projectFolder, type SandboxView } from "../sandbox/bubblewrap/arguments.ts";
import { startEngine } from "../sandbox/run-engine.ts";
import type { ResourceLimits, RunningProcess, SpawnRequest } from "../sandbox/spawn.ts";
import {
  type JsonLinesOptions,
  JsonLinesProcess,
  type JsonLinesReply,
} from "../warm/json-lines-process.ts";
import { SlotFolder } from "../warm/slot-folder.ts";
import type { WarmProcess } from "../warm/warm-process.ts";
import { workerCompileCache } from "./compile-cache.ts";

/** Time to load Node and the packages. */
const startTimeoutMs = 30_000;

/** 100 megapixels of 16-bit RGBA are 0.8 GB, and an operation may hold three copies of them. */
const memoryBytes = 3 * 2 ** 30;

/** The JavaScript heap. The structure of a large PDF needs most of it. */
const heapMegabytes = 1536;

/**
 * A size that no image of 100 megapixels reaches; the limit stops an encoder that writes without
 * end.
 */
const fileBytes = 4 * 2 ** 30;

/** A warm sandboxed Node process that runs sharp and the parsers, with its slot folder. */
export class WorkerProcess implements WarmProcess {
  readonly slot: SlotFolder;
  readonly #process: JsonLinesProcess;

  private constructor(slot: SlotFolder, process: JsonLinesProcess) {
    this.slot = slot;
    this.#process = process;
  }

  /** Rejects if it does not start. */
  static async start(limits: Partial<ResourceLimits> = {}): Promise<WorkerProcess> {
    const slot = await SlotFolder.create("image");
    let running: RunningProcess | undefined;
    try {
      const used = { memoryBytes, fileBytes, ...limits };
      running = await startEngine(workerCommand(slot.view), used);
      return new WorkerProcess(
        slot,
        await JsonLinesProcess.connect("image", running, startTimeoutMs),
      );
    } catch (cause) {
      running?.kill();
      await slot.remove();
      // Not an `EngineError`: no file has been read yet, so the job's input cannot be the cause.
      throw new Error("a worker failed to start", { cause });
    }
  }

  get healthy(): boolean {
    return this.#process.healthy;
  }

  get peakMemoryBytes(): number | undefined {
    return this.#process.peakMemoryBytes;
  }

  /** Rejects as `JsonLinesProcess.request` does. */
  request(message: unknown, options: JsonLinesOptions): Promise<JsonLinesReply> {
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

/** The command of a worker on the slot folder of `view`, and what it can access. */
export function workerCommand(view: SandboxView): SpawnRequest {
  const project = projectFolder();
  const code = ["lib", "node_modules", "package.json"].map((name) =>
    join(/* turbopackIgnore: true */ project, name),
  );
  const compiled = workerCompileCache();
  return {
    command: process.execPath,
    args: [
      `--max-old-space-size=${heapMegabytes}`,
      // As in `fastStart`: both make the start shorter by a quarter.
      "--min-semi-space-size=4",
      "--import",
      join(/* turbopackIgnore: true */ project, "lib", "setup", "fast-modules.mjs"),
      join(import.meta.dirname, "program.ts"),
    ],
    ...view,
    readable: [
      ...code,
      process.execPath,
      ...(existsSync(/* turbopackIgnore: true */ compiled) ? [compiled] : []),
    ],
    // Stdout is used by the protocol, so nothing is logged. Few arenas reduce memory fragmentation.
    variables: {
      LOG_LEVEL: "silent",
      MALLOC_ARENA_MAX: "2",
      NODE_COMPILE_CACHE: compiled,
    },
  };
}
