import type { FileLimits } from "#lib/limits/limits.ts";

/** What the pool sends to a worker; see worker-function.ts. JSON only. */
export interface WorkerMessage {
  /** The module with the definition of the function, and its number there. */
  readonly module: string;
  readonly index: number;
  /** Names in the slot folder. */
  readonly files: readonly string[];
  readonly options: unknown;
  readonly limits: FileLimits;
  /** Threads that libvips may use. */
  readonly threads: number;
}
