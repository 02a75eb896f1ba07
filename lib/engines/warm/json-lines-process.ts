import { z } from "zod";
import { startDeadline } from "#lib/deadline.ts";
import { EngineError, type EngineName } from "../sandbox/failures/errors.ts";
import { decodeExit } from "../sandbox/run-engine.ts";
import type { RunningProcess } from "../sandbox/spawn.ts";
import { readLines } from "./read-lines.ts";

/** The last line of a reply, after any lines of progress: a result or an error. */
export interface JsonLinesReply {
  readonly result?: unknown;
  /** `detail` is for the log only. */
  readonly error?: { readonly code: string; readonly message: string; readonly detail?: string };
}

export interface JsonLinesOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (percent: number) => void;
}

/** Characters of the longest line that a warm process may send. */
const maxLineLength = 8 * 2 ** 20;

/** The replies are untrusted: the process has read a user's file. */
const lineSchema = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ progress: z.number() }),
  z.object({ result: z.looseObject({}) }),
  z.object({
    error: z.object({ code: z.string(), message: z.string(), detail: z.string().exactOptional() }),
  }),
]);

/** A line on stdout of the process. */
export type JsonLine = z.output<typeof lineSchema>;

/**
 * A warm process that reads one JSON request per line from stdin and replies on stdout: first
 * `{"ready":true}`, then for each request any number of `{"progress":n}` and one `{"result":{…}}`
 * or `{"error":{code,message}}`. It serves one request at a time.
 */
export class JsonLinesProcess {
  readonly #engine: EngineName;
  readonly #running: RunningProcess;
  #stderrTail = "";
  #onLine: ((line: string) => void) | undefined;
  #onFailure: ((error: EngineError) => void) | undefined;
  #failure: EngineError | undefined;

  private constructor(engine: EngineName, running: RunningProcess) {
    this.#engine = engine;
    this.#running = running;
    const { child } = running;
    child.on("close", (code, signal) =>
      this.#fail({ ...decodeExit(code, signal), outOfMemory: running.outOfMemory }),
    );
    child.stdin.on("error", () => {}); // the exit is reported by "close"
    child.stderr.on("data", (chunk: Buffer) => {
      this.#stderrTail = (this.#stderrTail + chunk.toString("utf8")).slice(-4096);
    });
    readLines(
      child.stdout,
      maxLineLength,
      (line) => this.#onLine?.(line),
      () => this.#fail({ invalidReply: true }),
    );
  }

  /** Resolves when the process is ready. Rejects with `EngineError`. */
  static async connect(
    engine: EngineName,
    running: RunningProcess,
    timeoutMs: number,
  ): Promise<JsonLinesProcess> {
    const process = new JsonLinesProcess(engine, running);
    await process.#exchange(undefined, { timeoutMs });
    return process;
  }

  get healthy(): boolean {
    return this.#failure === undefined && !this.#running.outOfMemory;
  }

  get peakMemoryBytes(): number | undefined {
    return this.#running.peakMemoryBytes;
  }

  /**
   * Sends one request and resolves with the last line of its reply. Rejects with `EngineError` if
   * the process exited, timed out, was aborted or sent an invalid reply. Then it has been killed.
   */
  request(message: unknown, options: JsonLinesOptions): Promise<JsonLinesReply> {
    return this.#exchange(`${JSON.stringify(message)}\n`, options);
  }

  close(): void {
    this.#running.kill();
  }

  #exchange(request: string | undefined, options: JsonLinesOptions): Promise<JsonLinesReply> {
    const { promise, resolve, reject } = Promise.withResolvers<JsonLinesReply>();
    this.#onFailure = reject;
    this.#onLine = (line) => {
      const reply = parseLine(line);
      if (reply && "progress" in reply) return options.onProgress?.(reply.progress);
      // One of its processes was killed for its memory. The reply of the others is not reliable.
      if (this.#running.outOfMemory) return this.#fail({ outOfMemory: true });
      const expectsReady = request === undefined;
      if (!reply || "ready" in reply !== expectsReady) return this.#fail({ invalidReply: true });
      resolve("ready" in reply ? {} : reply);
    };
    if (this.#failure) reject(this.#failure);
    const cancelDeadline = startDeadline(options, (reason) => this.#fail({ [reason]: true }));
    if (request && !this.#failure) this.#running.child.stdin.write(request);
    return promise.finally(() => {
      cancelDeadline();
      this.#onLine = undefined;
      this.#onFailure = undefined;
    });
  }

  #fail(failure: Partial<ConstructorParameters<typeof EngineError>[0]>): void {
    const stderrTail = this.#stderrTail;
    this.#failure ??= new EngineError({ engine: this.#engine, stderrTail, ...failure });
    this.close();
    this.#onFailure?.(this.#failure);
  }
}

/** Parses a line. Returns undefined if it does not match the protocol. */
function parseLine(line: string): JsonLine | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined; // not JSON
  }
}
