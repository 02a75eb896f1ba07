import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { constants } from "node:os";
import { EngineError, EngineMissingError, type EngineName } from "./errors.ts";
import { enterSandbox, type SandboxView } from "./sandbox.ts";

/** The only spawner: sandbox, limits, own process group, and the whole group killed at the end. */

export interface ProcessLimits {
  /** Wall clock of the whole process. */
  readonly timeoutMs: number;
  /** CPU time, seconds. */
  readonly cpuSeconds: number;
  /** Address space; leave out for Node, Chromium and others that reserve far more than they use. */
  readonly memoryBytes?: number;
  /** The largest file it may write. */
  readonly fileBytes: number;
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
  cpuSeconds: 3600,
  fileBytes: 64 * 2 ** 30,
  outputBytes: 16 * 2 ** 20,
} as const satisfies ProcessLimits;

/** Runs one engine process to its end. Throws `EngineError` or `EngineMissingError`. */
export function runEngine(request: EngineCommand): Promise<EngineOutput> {
  const limits = { ...defaults, ...request.limits };
  const { promise, resolve, reject } = Promise.withResolvers<EngineOutput>();
  if (request.signal?.aborted)
    return Promise.reject(new EngineError({ engine: request.engine, aborted: true }));
  const child = spawnEngine(request, limits);
  const stdout: Buffer[] = [];
  let outputBytes = 0;
  let stderrTail = "";
  let partialLine = "";
  let reason: "timedOut" | "aborted" | "outputTooLarge" | undefined;
  const stop = (why: typeof reason) => {
    reason ??= why;
    killGroup(child);
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
    killGroup(child);
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
    if (!reason && exitCode !== null && (request.successCodes ?? [0]).includes(exitCode)) {
      return resolve({ stdout: Buffer.concat(stdout), exitCode, stderrTail });
    }
    if (exitCode === notFoundCode) return reject(new EngineMissingError(request.engine));
    const flags = reason ? { [reason]: true } : {};
    reject(new EngineError({ engine: request.engine, exitCode, signal, stderrTail, ...flags }));
  });
  // An engine that ends without reading all of its input is judged by its exit, not by the broken pipe.
  child.stdin.on("error", () => {});
  child.stdin.end(request.stdin);
  return promise;
}

/** A process that stays. */
export interface WarmCommand
  extends Pick<EngineCommand, "engine" | "command" | "args" | keyof SandboxView> {
  /** Pipes beside stdin, stdout and stderr, from descriptor 3 up; they are in the child's `stdio`. */
  readonly extraPipes?: number;
}

/** Starts a process that stays: a warm engine. Its caller talks to it and kills it by `killGroup`. */
export function startEngine(
  request: WarmCommand,
  limits: Partial<ProcessLimits> = {},
): ChildProcessWithoutNullStreams {
  // A warm process serves for days, so its CPU time is not limited; each job's wall clock is.
  return spawnEngine(request, { ...defaults, cpuSeconds: Number.POSITIVE_INFINITY, ...limits });
}

function spawnEngine(
  request: Omit<WarmCommand, "engine">,
  limits: ProcessLimits,
): ChildProcessWithoutNullStreams {
  const limited = {
    command: "prlimit",
    args: [...limitArgs(limits), request.command, ...request.args],
  };
  const { command, args } = enterSandbox(process.platform === "linux" ? limited : request, request);
  const extra = Array.from({ length: request.extraPipes ?? 0 }, () => "pipe" as const);
  const child = spawn(command, args, {
    cwd: request.folder,
    detached: true,
    stdio: ["pipe", "pipe", "pipe", ...extra],
    env: {
      NODE_ENV: "production",
      PATH: "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin",
      HOME: "/tmp",
      LANG: "C.UTF-8",
      ...request.variables,
    },
  });
  // The first three are always pipes; the type of a longer `stdio` no longer says so.
  return child as ChildProcessWithoutNullStreams;
}

function limitArgs(limits: ProcessLimits): string[] {
  const args = [`--fsize=${limits.fileBytes}`, "--nofile=4096", "--core=0"];
  if (Number.isFinite(limits.cpuSeconds)) args.push(`--cpu=${limits.cpuSeconds}`);
  if (limits.memoryBytes) args.push(`--as=${limits.memoryBytes}`);
  return [...args, "--"];
}

/** Kills the process and everything it started. Safe to call again, and after its end. */
export function killGroup(child: { readonly pid?: number | undefined }): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    // No such group: it has ended already, which is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** What prlimit exits with when there is no such command. */
const notFoundCode = 127;

/** How a process ended. 128 + n, as a shell and bubblewrap exit, is read as ended by signal n. */
export function decodeExit(code: number | null, signal: NodeJS.Signals | null) {
  if (signal || code === null || code <= 128) return { exitCode: code, signal };
  const name = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return name ? { exitCode: null, signal: name as NodeJS.Signals } : { exitCode: code, signal };
}
