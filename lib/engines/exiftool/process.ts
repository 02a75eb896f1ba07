import { widestLimits } from "#lib/limits/limits.ts";
import { EngineError, EngineMissingError } from "../sandbox/errors.ts";
import { startEngine } from "../sandbox/process.ts";
import type { RunningProcess, SpawnRequest } from "../sandbox/spawn.ts";
import type { WarmWorker } from "../warm/pool.ts";
import { Slot } from "../warm/slot.ts";

export interface ExiftoolAnswer {
  readonly stdout: string;
  /** The last 4 KiB; hostile text. */
  readonly stderr: string;
  /** 0 where every file was read or written. */
  readonly status: number;
}

/** What the sandbox exits with when there is no such command. */
const notFoundCode = 127;

/** Perl itself takes some 50 MB; the rest is for what a file's packed metadata unpack to. */
const memoryBytes = 2 ** 30;

/**
 * One open exiftool (`-stay_open True -@ -`): it reads one argument a line from stdin and runs them
 * at `-execute`. It sees its slot folder and nothing else; one request at a time.
 */
export class ExiftoolProcess implements WarmWorker {
  readonly slot: Slot;
  readonly #running: RunningProcess;
  #requests = 0;
  #stdout: Buffer[] = [];
  #stdoutBytes = 0;
  #stdoutTail = "";
  #stderr = "";
  #ended: EngineError | EngineMissingError | undefined;
  #onOutput = () => {};

  private constructor(slot: Slot, running: RunningProcess) {
    this.slot = slot;
    this.#running = running;
    const { child } = running;
    child.on("error", (cause) => this.#end({ cause }));
    child.on("close", (exitCode, signal) => this.#end({ exitCode, signal }));
    child.stdin.on("error", () => {}); // its end is reported by "close"
    child.stdout.on("data", (chunk: Buffer) => {
      this.#stdout.push(chunk);
      this.#stdoutBytes += chunk.length;
      this.#stdoutTail = (this.#stdoutTail + chunk.subarray(-32).toString("latin1")).slice(-32);
      if (this.#stdoutBytes > widestLimits.metadataBytes) this.#stop({ outputTooLarge: true });
      else this.#onOutput();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString("utf8")).slice(-4096);
      this.#onOutput();
    });
  }

  /** Starts it and waits until it answers. Rejects with `EngineError`. */
  static async open(): Promise<ExiftoolProcess> {
    const slot = await Slot.create("exiftool");
    const limits = { memoryBytes, limitsAddressSpace: true };
    const opened = new ExiftoolProcess(slot, await startEngine(exiftoolCommand(slot.root), limits));
    try {
      await opened.request(["-ver"], { timeoutMs: 20_000 });
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  get healthy(): boolean {
    return this.#ended === undefined && !this.#running.outOfMemory;
  }

  reset(): Promise<void> {
    return this.slot.empty();
  }

  async close(): Promise<void> {
    this.#stop({});
    await this.slot.remove();
  }

  /**
   * Runs one command line. Files are told by their names in the slot; text that a user gave does not
   * belong here. Rejects with `EngineError` where the process ended, was too slow, printed too much
   * or was stopped; it is then dead.
   */
  request(
    args: readonly string[],
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<ExiftoolAnswer> {
    // A line break would end the argument and begin another one, which may be any option.
    if (args.some((arg) => /[\0\r\n]/.test(arg))) throw new Error("unusable exiftool argument");
    const { promise, resolve, reject } = Promise.withResolvers<ExiftoolAnswer>();
    const number = ++this.#requests;
    this.#stdout = [];
    this.#stdoutBytes = 0;
    this.#stdoutTail = "";
    this.#stderr = "";
    const timer = setTimeout(() => this.#stop({ timedOut: true }), options.timeoutMs);
    const onAbort = () => this.#stop({ aborted: true });
    options.signal?.addEventListener("abort", onAbort, { once: true });
    const statusPattern = new RegExp(`\\{status${number} (\\d+)\\}\\n$`);
    const ready = `{ready${number}}\n`;
    this.#onOutput = () => {
      if (this.#ended) return reject(this.#ended);
      const status = statusPattern.exec(this.#stderr);
      if (!status || !this.#stdoutTail.endsWith(ready)) return;
      const stdout = Buffer.concat(this.#stdout).toString("utf8").slice(0, -ready.length);
      const stderr = this.#stderr.slice(0, status.index);
      resolve({ stdout, stderr, status: Number(status[1]) });
    };
    if (options.signal?.aborted) onAbort();
    if (this.#ended) reject(this.#ended);
    const echo = ["-echo4", `{status${number} \${status}}`, `-execute${number}`];
    if (!this.#ended) this.#running.child.stdin.write(`${[...args, ...echo].join("\n")}\n`);
    return promise.finally(() => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
      this.#onOutput = () => {};
      this.#stdout = [];
    });
  }

  #stop(why: Partial<ConstructorParameters<typeof EngineError>[0]>): void {
    this.#end(why);
    this.#running.kill();
  }

  #end(why: Partial<ConstructorParameters<typeof EngineError>[0]>): void {
    this.#ended ??=
      why.exitCode === notFoundCode
        ? new EngineMissingError("exiftool")
        : new EngineError({
            engine: "exiftool",
            stderrTail: this.#stderr,
            outOfMemory: this.#running.outOfMemory,
            ...why,
          });
    this.#onOutput();
  }
}

/** How exiftool is started on the slot folder `folder`, and what it sees. */
export function exiftoolCommand(folder: string): SpawnRequest {
  // An empty -config keeps any .ExifTool_config, which is Perl code, from being read.
  return { command: "exiftool", args: ["-config", "", "-stay_open", "True", "-@", "-"], folder };
}
