import { constants } from "node:os";
import { faultPoint } from "#faults";
import type { SandboxView } from "./bubblewrap.ts";
import { EngineError, EngineMissingError, type EngineName } from "./errors.ts";
import { currentSandbox } from "./level.ts";
import { type RunningProcess, type SpawnRequest, spawnProcess, type UseLimits } from "./spawn.ts";

/** Engine processes, in the sandbox in force: those that end by themselves and those that stay. */

export interface ProcessLimits extends UseLimits {
  /** Wall clock of the whole process. */
  readonly timeoutMs: number;
  /** The most it may print on stdout before it is killed. */
  readonly outputBytes: number;
}

export interface EngineCommand extends SandboxView {
  readonly engine: EngineName;
  readonly command: string;
  readonly args: readonly string[];
  readonly limits?: Partial<ProcessLimits>;
  readonly signal?: AbortSignal;
  readonly stdin?: string;
  /** Each whole line of stdout as it comes, for progress; stdout is then not collected. */
  readonly onLine?: (line: string) => void;
  /** Exit codes that count as success; `[0]`. qpdf ends with 3 for warnings. */
  readonly successCodes?: readonly number[];
}

export interface EngineOutput {
  readonly stdout: Buffer;
  readonly exitCode: number;
  /** The last 4 KiB; hostile text, for the log or for parsing with care. */
  readonly stderrTail: string;
}

const defaults = {
  timeoutMs: 60_000,
  memoryBytes: 4 * 2 ** 30,
  limitsAddressSpace: false,
  processes: 256,
  cpuSeconds: 3600,
  fileBytes: 64 * 2 ** 30,
  openFiles: 4096,
  outputBytes: 16 * 2 ** 20,
} as const satisfies ProcessLimits;

/** Runs one engine process to its end. Throws `EngineError` or `EngineMissingError`. */
export async function runEngine(request: EngineCommand): Promise<EngineOutput> {
  const limits = { ...defaults, ...request.limits };
  const sandbox = await currentSandbox();
  if (request.signal?.aborted) throw new EngineError({ engine: request.engine, aborted: true });
  const running = spawnProcess(sandbox, request, limits);
  const { child } = running;
  const { promise, resolve, reject } = Promise.withResolvers<EngineOutput>();
  faultPoint("in-engine", request.folder);
  const stdout: Buffer[] = [];
  let outputBytes = 0;
  let stderrTail = "";
  let partialLine = "";
  let reason: "timedOut" | "aborted" | "outputTooLarge" | undefined;
  const stop = (why: typeof reason) => {
    reason ??= why;
    running.kill();
  };
  const timer = setTimeout(() => stop("timedOut"), limits.timeoutMs);
  const onAbort = () => stop("aborted");
  request.signal?.addEventListener("abort", onAbort, { once: true });

  child.stdout.on("data", (chunk: Buffer) => {
    outputBytes += chunk.length;
    if (outputBytes > limits.outputBytes) return stop("outputTooLarge");
    if (!request.onLine) return void stdout.push(chunk);
    const lines = (partialLine + chunk.toString("utf8")).split("\n");
    partialLine = lines.pop() ?? "";
    for (const line of lines) request.onLine(line);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderrTail = (stderrTail + chunk.toString("utf8")).slice(-4096);
  });
  const settle = () => {
    clearTimeout(timer);
    request.signal?.removeEventListener("abort", onAbort);
    running.kill();
  };
  child.on("error", (cause: NodeJS.ErrnoException) => {
    settle();
    const missing = cause.code === "ENOENT";
    reject(
      missing
        ? new EngineMissingError(request.engine)
        : new EngineError({ engine: request.engine, cause }),
    );
  });
  child.on("close", (code, signalName) => {
    settle();
    const { exitCode, signal } = decodeExit(code, signalName);
    const { outOfMemory } = running;
    const succeeded = exitCode !== null && (request.successCodes ?? [0]).includes(exitCode);
    if (!reason && !outOfMemory && succeeded) {
      return resolve({ stdout: Buffer.concat(stdout), exitCode, stderrTail });
    }
    if (exitCode === notFoundCode) return reject(new EngineMissingError(request.engine));
    const why = reason ? { [reason]: true } : { outOfMemory };
    reject(new EngineError({ engine: request.engine, exitCode, signal, stderrTail, ...why }));
  });
  // An engine that ends without reading all of its input is judged by its exit, not by the broken pipe.
  child.stdin.on("error", () => {});
  child.stdin.end(request.stdin);
  return promise;
}

/** Starts a process that stays: a warm engine. Its caller talks to it and kills it. */
export async function startEngine(
  request: SpawnRequest,
  limits: Partial<UseLimits> = {},
): Promise<RunningProcess> {
  // A warm process serves for days, so its CPU time is not limited; each job's wall clock is.
  const forDays = { ...defaults, cpuSeconds: Number.POSITIVE_INFINITY, ...limits };
  return spawnProcess(await currentSandbox(), request, forDays);
}

/** What prlimit exits with when there is no such command. */
const notFoundCode = 127;

/** How a process ended. 128 + n, as a shell and bubblewrap exit, is read as ended by signal n. */
export function decodeExit(code: number | null, signal: NodeJS.Signals | null) {
  if (signal || code === null || code <= 128) return { exitCode: code, signal };
  const name = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return name ? { exitCode: null, signal: name as NodeJS.Signals } : { exitCode: code, signal };
}
