import { faultPoint } from "#faults";
import { startDeadline } from "#lib/deadline.ts";
import type { SandboxView } from "./bubblewrap/arguments.ts";
import { currentSandbox } from "./current-sandbox.ts";
import { reportEngineFailure } from "./failures/engine-failures.ts";
import { withEngineSpan } from "./failures/engine-span.ts";
import { EngineError, EngineMissingError, type EngineName } from "./failures/errors.ts";
import { createJobFailure } from "./failures/failures.ts";
import { signalName } from "./fork-server/forked-process.ts";
import { removeIrregularEntries } from "./left-entries.ts";
import {
  type ResourceLimits,
  type RunningProcess,
  type SpawnRequest,
  spawnProcess,
} from "./spawn.ts";
import { SandboxEndedError } from "./start-copy.ts";

/**
 * Starts engine processes in the current sandbox: one per call, or warm ones that serve many jobs.
 */

export interface ProcessLimits extends ResourceLimits {
  /** The wall-clock time of the whole process in milliseconds. */
  readonly timeoutMs: number;
  /** The bytes that the engine may write to stdout before it is killed. */
  readonly outputBytes: number;
}

export interface EngineCommand extends SandboxView {
  /** What the engine leaves there is checked when it has ended; empty for one that only reads. */
  readonly writable: readonly string[];
  readonly engine: EngineName;
  readonly command: string;
  readonly args: readonly string[];
  readonly limits?: Partial<ProcessLimits>;
  readonly signal?: AbortSignal;
  readonly stdin?: string;
  /** Receives each complete line of stdout, for progress. If set, stdout is not collected. */
  readonly onLine?: (line: string) => void;
  /** The exit codes that mean success; `[0]` by default. qpdf exits with 3 for warnings. */
  readonly successCodes?: readonly number[];
}

export interface EngineOutput {
  readonly stdout: Buffer;
  readonly exitCode: number;
  /** The last 4 KiB of stderr; untrusted text. */
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

/**
 * Runs one engine process until it and all processes that it started have ended. Then only regular
 * files are left in the folders that it could write, also if it failed. Throws `EngineError` or
 * `EngineMissingError`, and `JobError("engine_crashed")` if it succeeded but left anything else.
 */
export function runEngine(request: EngineCommand): Promise<EngineOutput> {
  let running: RunningProcess | undefined;
  const onStart = (started: RunningProcess) => {
    running = started;
  };
  const work = () => runOnce(request, onStart);
  return withEngineSpan(
    request.engine,
    { "mediamill.engine.warm": false },
    work,
    () => running?.peakMemoryBytes,
  );
}

async function runOnce(
  request: EngineCommand,
  onStart: (running: RunningProcess) => void,
): Promise<EngineOutput> {
  const limits = { ...defaults, ...request.limits };
  const sandbox = await currentSandbox();
  const { engine } = request;
  if (request.signal?.aborted) throw new EngineError({ engine, aborted: true });
  const running = await spawnProcess(sandbox, request, limits).catch((cause) => {
    throw cause instanceof SandboxEndedError
      ? new EngineError({ engine, signal: "SIGKILL", cause })
      : cause;
  });
  onStart(running);
  faultPoint("in-engine", request.folder);
  const [output] = await Promise.allSettled([collectOutput(running, request, limits)]);
  if (output.status === "rejected" && isStartFailure(output.reason)) reportEngineFailure(engine);
  await running.waitForEnd();
  // A link could lead the runner out of the sandbox, and a pipe would never end.
  const leftMore = await removeIrregularEntries(request);
  if (output.status === "rejected") throw output.reason;
  if (!leftMore) return output.value;
  // Not an `EngineError`, from which callers conclude that the file is damaged.
  const cause = new Error("it left something other than regular files");
  throw createJobFailure("engine_crashed", new EngineError({ engine, exitCode: 0, cause }));
}

/** Lines of engines have some hundred characters. Each chunk of a longer line would copy all of it. */
const maxLineLength = 2 ** 16;

/** The output of a process that has exited and closed its pipes. */
async function collectOutput(
  running: RunningProcess,
  request: EngineCommand,
  limits: ProcessLimits,
): Promise<EngineOutput> {
  const { child } = running;
  const { promise, resolve, reject } = Promise.withResolvers<EngineOutput>();
  const stdout: Buffer[] = [];
  let outputBytes = 0;
  let stderrTail = "";
  let partialLine = "";
  let reason: "timedOut" | "aborted" | "outputTooLarge" | undefined;
  const stop = (cause: typeof reason) => {
    reason ??= cause;
    running.kill();
  };
  const { timeoutMs } = limits;
  const cancelDeadline = startDeadline({ timeoutMs, signal: request.signal }, stop);

  child.stdout.on("data", (chunk: Buffer) => {
    outputBytes += chunk.length;
    if (outputBytes > limits.outputBytes) return stop("outputTooLarge");
    if (!request.onLine) return void stdout.push(chunk);
    const lines = (partialLine + chunk.toString("utf8")).split("\n");
    partialLine = lines.pop() ?? "";
    for (const line of lines) request.onLine(line);
    if (partialLine.length > maxLineLength) stop("outputTooLarge");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderrTail = (stderrTail + chunk.toString("utf8")).slice(-4096);
  });
  const cleanUp = () => {
    cancelDeadline();
    running.kill();
  };
  child.on("close", (code, signalName) => {
    cleanUp();
    const { exitCode, signal } = decodeExit(code, signalName);
    const { outOfMemory } = running;
    const succeeded = exitCode !== null && (request.successCodes ?? [0]).includes(exitCode);
    if (!reason && !outOfMemory && succeeded) {
      return resolve({ stdout: Buffer.concat(stdout), exitCode, stderrTail });
    }
    if (exitCode === notFoundCode) return reject(new EngineMissingError(request.engine));
    const failure = reason ? { [reason]: true } : { outOfMemory };
    reject(new EngineError({ engine: request.engine, exitCode, signal, stderrTail, ...failure }));
  });
  // An engine may exit before it has read all of its input. Its exit code counts, not the broken
  // pipe.
  child.stdin.on("error", () => {});
  child.stdin.end(request.stdin ?? "");
  return promise;
}

/** Starts a warm engine process. The caller sends it requests and kills it. */
export async function startEngine(
  request: SpawnRequest,
  limits: Partial<ResourceLimits> = {},
): Promise<RunningProcess> {
  // A warm process serves jobs for days. Each job has a timeout, so the CPU time is not limited.
  const warmLimits = { ...defaults, cpuSeconds: Number.POSITIVE_INFINITY, ...limits };
  return spawnProcess(await currentSandbox(), request, warmLimits);
}

/** The exit code of prlimit and the fork server if the command does not exist. */
const notFoundCode = 127;
/** Their exit code if the command cannot be executed. */
const notExecutableCode = 126;

/** Whether the program did not start at all. */
function isStartFailure(error: unknown): boolean {
  if (error instanceof EngineMissingError) return true;
  return error instanceof EngineError && error.exitCode === notExecutableCode;
}

/** How a process exited. Shells and bubblewrap exit with 128 + n if signal n killed their child. */
export function decodeExit(code: number | null, signal: NodeJS.Signals | null) {
  if (signal || code === null || code <= 128) return { exitCode: code, signal };
  const name = signalName(code - 128);
  return name ? { exitCode: null, signal: name } : { exitCode: code, signal };
}
