import { join } from "node:path";
import { startDeadline } from "#lib/deadline.ts";
import { widestLimits } from "#lib/limits/limits.ts";
import type { SandboxView } from "../sandbox/bubblewrap/arguments.ts";
import { EngineError, EngineMissingError } from "../sandbox/failures/errors.ts";
import { startEngine } from "../sandbox/run-engine.ts";
import type { RunningProcess, SpawnRequest } from "../sandbox/spawn.ts";
import { SlotFolder } from "../warm/slot-folder.ts";
import type { WarmProcess } from "../warm/warm-process.ts";

export interface ExiftoolOutput {
  readonly stdout: string;
  /** The last 4 KiB; untrusted text. */
  readonly stderr: string;
  /** The exit status: 0 if every file was read or written. */
  readonly status: number;
}

/** The exit code of the sandbox if the command does not exist. */
const notFoundCode = 127;

/** Perl uses about 50 MB; the rest is for compressed metadata of a file. */
const memoryBytes = 2 ** 30;

/**
 * A warm exiftool (`-stay_open True -@ -`). It reads one argument per line from stdin and runs the
 * command line at `-execute`. It can access only its slot folder and serves one request at a time.
 * `separate_files.pm` keeps the files apart.
 */
export class ExiftoolProcess implements WarmProcess {
  readonly slot: SlotFolder;
  readonly #running: RunningProcess;
  #requests = 0;
  #stdout: Buffer[] = [];
  #stdoutBytes = 0;
  #stdoutTail = "";
  #stderr = "";
  #failure: EngineError | EngineMissingError | undefined;
  #onOutput = () => {};

  private constructor(slot: SlotFolder, running: RunningProcess) {
    this.slot = slot;
    this.#running = running;
    const { child } = running;
    child.on("close", (exitCode, signal) => this.#fail({ exitCode, signal }));
    child.stdin.on("error", () => {}); // the exit is reported by "close"
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

  /** Resolves when the process responds. Rejects with `EngineError` or `EngineMissingError`. */
  static async start(): Promise<ExiftoolProcess> {
    const slot = await SlotFolder.create("exiftool");
    const limits = { memoryBytes, limitsAddressSpace: true };
    let started: ExiftoolProcess | undefined;
    try {
      started = new ExiftoolProcess(slot, await startEngine(exiftoolCommand(slot.view), limits));
      await started.request(["-ver"], { timeoutMs: 20_000 });
      return started;
    } catch (error) {
      if (started) await started.close();
      else await slot.remove();
      throw error;
    }
  }

  get healthy(): boolean {
    return this.#failure === undefined && !this.#running.outOfMemory;
  }

  get peakMemoryBytes(): number | undefined {
    return this.#running.peakMemoryBytes;
  }

  reset(): Promise<void> {
    return this.slot.empty();
  }

  async close(): Promise<void> {
    this.#stop({});
    await this.slot.remove();
  }

  /**
   * Runs one command line. Files are given by their names in the slot folder; arguments must not
   * contain text of a user. Rejects with `EngineError` if the process exited, timed out, was
   * aborted or wrote too much output. Then it has been killed.
   */
  request(
    args: readonly string[],
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<ExiftoolOutput> {
    // A line break would end the argument, and the rest would be read as another argument.
    if (args.some((arg) => /[\0\r\n]/.test(arg))) throw new Error("invalid exiftool argument");
    const { promise, resolve, reject } = Promise.withResolvers<ExiftoolOutput>();
    const number = ++this.#requests;
    this.#stdout = [];
    this.#stdoutBytes = 0;
    this.#stdoutTail = "";
    this.#stderr = "";
    const statusPattern = new RegExp(`\\{status${number} (\\d+)\\}\\n$`);
    const ready = `{ready${number}}\n`;
    this.#onOutput = () => {
      if (this.#failure) return reject(this.#failure);
      const status = statusPattern.exec(this.#stderr);
      if (!status || !this.#stdoutTail.endsWith(ready)) return;
      const stdout = Buffer.concat(this.#stdout).toString("utf8").slice(0, -ready.length);
      const stderr = this.#stderr.slice(0, status.index);
      resolve({ stdout, stderr, status: Number(status[1]) });
    };
    const cancelDeadline = startDeadline(options, (reason) => this.#stop({ [reason]: true }));
    if (this.#failure) reject(this.#failure);
    const echo = ["-echo4", `{status${number} \${status}}`, `-execute${number}`];
    if (!this.#failure) this.#running.child.stdin.write(`${[...args, ...echo].join("\n")}\n`);
    return promise.finally(() => {
      cancelDeadline();
      this.#onOutput = () => {};
      this.#stdout = [];
    });
  }

  #stop(failure: Partial<ConstructorParameters<typeof EngineError>[0]>): void {
    this.#fail(failure);
    this.#running.kill();
  }

  #fail(failure: Partial<ConstructorParameters<typeof EngineError>[0]>): void {
    this.#failure ??=
      failure.exitCode === notFoundCode
        ? new EngineMissingError("exiftool")
        : new EngineError({
            engine: "exiftool",
            stderrTail: this.#stderr,
            outOfMemory: this.#running.outOfMemory,
            ...failure,
          });
    this.#onOutput();
  }
}

/** The command of exiftool on the slot folder of `view`. No file changes what is read of those after it. */
export function exiftoolCommand(view: SandboxView): SpawnRequest {
  return {
    ...view,
    command: "exiftool",
    // An empty -config disables .ExifTool_config, which is executed as Perl code.
    args: ["-config", "", "-stay_open", "True", "-@", "-"],
    readable: [join(import.meta.dirname, "separate_files.pm")],
    variables: { PERL5LIB: import.meta.dirname, PERL5OPT: "-Mseparate_files" },
  };
}
