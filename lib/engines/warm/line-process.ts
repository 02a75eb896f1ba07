import { EngineError, type EngineName } from "../sandbox/errors.ts";
import { decodeExit } from "../sandbox/process.ts";
import type { RunningProcess } from "../sandbox/spawn.ts";
import { readLines } from "./read-lines.ts";

/** What a warm process answers a request with: lines of progress, then one result or one error. */
export interface LineReply {
  readonly progress?: number;
  readonly result?: unknown;
  /** `detail` is for the log alone. */
  readonly error?: { readonly code: string; readonly message: string; readonly detail?: string };
}

/** Characters of the longest line a warm process may send; longer is an engine gone wrong. */
const maxLineLength = 8 * 2 ** 20;

/**
 * A warm process that takes one JSON request a line on stdin and answers on stdout: first
 * `{"ready":true}`, then for each request any number of `{"progress":n}` and one
 * `{"result":…}` or `{"error":{code,message}}`. One request at a time.
 */
export class LineProcess {
  readonly #engine: EngineName;
  readonly #running: RunningProcess;
  #stderrTail = "";
  #onReply: ((line: string) => void) | undefined;
  #onEnd: ((error: EngineError) => void) | undefined;
  #ended: EngineError | undefined;

  private constructor(engine: EngineName, running: RunningProcess) {
    this.#engine = engine;
    this.#running = running;
    const { child } = running;
    const end = (code: number | null, signal: NodeJS.Signals | null, cause?: unknown) => {
      const said = { stderrTail: this.#stderrTail, outOfMemory: running.outOfMemory };
      this.#ended ??= new EngineError({ engine, ...decodeExit(code, signal), cause, ...said });
      this.#onEnd?.(this.#ended);
    };
    child.on("error", (cause) => end(null, null, cause));
    child.on("close", (code, signal) => end(code, signal));
    child.stdin.on("error", () => {}); // its end is reported by "close"
    child.stderr.on("data", (chunk: Buffer) => {
      this.#stderrTail = (this.#stderrTail + chunk.toString("utf8")).slice(-4096);
    });
    readLines(
      child.stdout,
      maxLineLength,
      (line) => this.#onReply?.(line),
      () => this.close(),
    );
  }

  /** Resolves once the process says that it is ready. */
  static async open(
    engine: EngineName,
    running: RunningProcess,
    timeoutMs: number,
  ): Promise<LineProcess> {
    const process = new LineProcess(engine, running);
    await process.#exchange(undefined, { timeoutMs });
    return process;
  }

  get healthy(): boolean {
    return this.#ended === undefined && !this.#running.outOfMemory;
  }

  /**
   * Sends one request and resolves with its reply's last line. Rejects with `EngineError` where the
   * process ended, was too slow or was stopped; the process is then dead and must be replaced.
   */
  request(
    message: unknown,
    options: { timeoutMs: number; signal?: AbortSignal; onProgress?: (percent: number) => void },
  ): Promise<LineReply> {
    return this.#exchange(`${JSON.stringify(message)}\n`, options);
  }

  close(): void {
    this.#running.kill();
  }

  #exchange(
    line: string | undefined,
    options: { timeoutMs: number; signal?: AbortSignal; onProgress?: (percent: number) => void },
  ): Promise<LineReply> {
    const { promise, resolve, reject } = Promise.withResolvers<LineReply>();
    const stop = (why: "timedOut" | "aborted" | "outOfMemory") => {
      this.#ended ??= new EngineError({
        engine: this.#engine,
        [why]: true,
        stderrTail: this.#stderrTail,
      });
      this.close();
      reject(this.#ended);
    };
    const timer = setTimeout(() => stop("timedOut"), options.timeoutMs);
    const onAbort = () => stop("aborted");
    options.signal?.addEventListener("abort", onAbort, { once: true });
    this.#onEnd = reject;
    this.#onReply = (text) => {
      const reply = parseReply(text);
      if (!reply) return stop("timedOut");
      if (reply.progress !== undefined) return options.onProgress?.(reply.progress);
      // A part of it was ended for its memory: what the rest answers is not to be believed.
      if (this.#running.outOfMemory) return stop("outOfMemory");
      resolve(reply);
    };
    if (this.#ended) reject(this.#ended);
    else if (options.signal?.aborted) stop("aborted");
    else if (line) this.#running.child.stdin.write(line);
    return promise.finally(() => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
      this.#onReply = undefined;
      this.#onEnd = undefined;
    });
  }
}

/** What an engine says is hostile input too: anything but an object of the right shape is refused. */
function parseReply(line: string): LineReply | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null) return undefined;
    return "progress" in value && typeof value.progress !== "number"
      ? undefined
      : (value as LineReply);
  } catch {
    return undefined;
  }
}
