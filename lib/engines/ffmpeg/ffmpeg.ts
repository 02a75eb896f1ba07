import { availableParallelism } from "node:os";
import createCommand from "fluent-ffmpeg";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { isRelayUrl, relayUrl, throughRelay } from "../partial/relay.ts";
import { EngineError } from "../sandbox/failures/errors.ts";
import { runEngine } from "../sandbox/run-engine.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { inputGuardArguments, playlistGuardArguments } from "./command/allow-lists.ts";
import { timeoutError, translateMediaError } from "./command/errors.ts";
import { moveLongFilters } from "./command/filter-scripts.ts";
import { startFaster } from "./command/library-order.ts";
import { accessOf, hardware } from "./hardware/detect.ts";
import { type HardwareKind, toHardwareArguments } from "./hardware/encoders.ts";

/** Runs ffmpeg. Only this module uses fluent-ffmpeg, which builds the command line. */

export interface FfmpegInput {
  readonly file: WorkFile;
  /** Options of the input; see `arguments.ts`. */
  readonly args?: readonly string[];
  /** A playlist of scratch files, written by `writePlaylist`. */
  readonly isPlaylist?: true;
}

export interface FfmpegOutput {
  /** The output. Without it, the streams are decoded and discarded. */
  readonly file?: WorkFile;
  /** Options of the output; see `arguments.ts`. */
  readonly args: readonly string[];
}

/** The command line. */
export interface FfmpegCommand {
  readonly inputs: readonly FfmpegInput[];
  /** Filter graphs from inputs to labels; `mapGraphOutput` adds a label to an output. */
  readonly filterGraphs?: readonly string[];
  readonly outputs: readonly FfmpegOutput[];
  /** Size in pixels of the decoded frames; large ones get fewer threads. */
  readonly frame?: { readonly width: number; readonly height: number };
  /**
   * The level of the log: `warning` by default; `info` if the caller reads the output of a filter.
   */
  readonly logLevel?: "warning" | "info";
}

export interface FfmpegRun extends FfmpegCommand {
  /** The folder of all files. ffmpeg can access no other folder. */
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  /** Receives 0 to 100, never decreasing. It needs `duration`. */
  readonly progress?: ((percent: number) => void) | undefined;
  /** Duration of the output in seconds, for progress. */
  readonly duration?: number | undefined;
  /** The run is killed if it makes no progress for this time; 60 s by default. */
  readonly stallMs?: number;
}

/**
 * Threads of a decoder, encoder or filter, by the pixels of a frame. Each thread holds several
 * frames, and all must fit into the memory limit (measured: 8 threads at 2160p and 4 at 4320p fit,
 * 16 at 2160p do not).
 */
const threadLimits = [
  { pixels: 1920 * 1088, threads: 16 },
  { pixels: 4096 * 2304, threads: 8 },
  { pixels: Number.POSITIVE_INFINITY, threads: 4 },
];

/** The memory that ffmpeg may use, which is also the limit of its address space. */
const memoryBytes = 4 * 2 ** 30;

/** The name of `file` for ffmpeg. It cannot be read as another protocol, an option or a pattern. */
export function mediaPath(file: WorkFile): string {
  return file.partial ? relayUrl(file) : `file:${file.name}`;
}

export interface FfmpegResult {
  /** The last 4 KiB of the log; untrusted text. */
  readonly log: string;
  /**
   * The approximate end of the output in seconds; frames that are still buffered are not included.
   */
  readonly seconds: number;
  /** Frames of the first output that were encoded or copied; 0 if it has only audio. */
  readonly frames: number;
}

/**
 * Runs ffmpeg in the sandbox until it exits, with the allow-lists for every input. Throws
 * `JobError` (`corrupt`, `unsupported_type`, `too_complex`, `too_large`, `timed_out`,
 * `out_of_memory`, `engine_crashed`), and `EngineError` if it was aborted or for an internal error.
 */
export async function runFfmpeg(run: FfmpegRun): Promise<FfmpegResult> {
  const outputs = run.outputs.map(async (output) => ({
    ...output,
    args: await moveLongFilters(output.args, run.work),
  }));
  const args = buildArguments({ ...run, outputs: await Promise.all(outputs) });
  const kind = await hardware();
  const inHardware = kind && toHardwareArguments(args, kind);
  if (!inHardware) return runArguments(run, args);
  try {
    return await runArguments(run, inHardware, kind);
  } catch (error) {
    // Hardware cannot encode every size and pixel format, and its drivers may fail.
    const isTimeout = error instanceof JobError && error.code === "timed_out";
    if (run.signal.aborted || isTimeout) throw error;
    log.warn({ kind, err: error }, "hardware encoding failed, the video is encoded in software");
    return runArguments(run, args);
  }
}

/** Runs ffmpeg with `args`; `kind` is the hardware that they use. */
async function runArguments(
  run: FfmpegRun,
  args: readonly string[],
  kind?: HardwareKind,
): Promise<FfmpegResult> {
  const stall = detectStall(run.stallMs ?? 60_000);
  const progressValues = new Map<string, string>();
  const onProgress = reportProgress(run);
  const inputFiles = run.inputs.map(({ file }) => file);
  const access = kind ? accessOf(kind) : {};
  const command = await startFaster("ffmpeg", args);
  try {
    const { stderrTail } = await runEngine({
      engine: "ffmpeg",
      ...throughRelay(command, { ...run.work.view, ...access }, inputFiles),
      signal: AbortSignal.any([run.signal, stall.signal]),
      onLine: (line) => {
        const [key = "", value = ""] = line.trim().split("=");
        if (!progressKeys.has(key) || progressValues.get(key) === value) return;
        progressValues.set(key, value);
        stall.reset();
        if (key === "out_time_us") onProgress(Number(value));
      },
      // By default, glibc reserves 64 MiB of address space per thread, which counts for the limit.
      variables: { MALLOC_ARENA_MAX: "2" },
      limits: {
        timeoutMs: env.JOB_TIMEOUT * 1000,
        cpuSeconds: env.JOB_TIMEOUT * availableParallelism(),
        memoryBytes,
        // Drivers reserve far more address space than they use.
        limitsAddressSpace: kind === undefined,
        fileBytes: run.work.limits.resultBytes,
        outputBytes: 256 * 2 ** 20,
      },
    });
    const read = (key: string) => Number(progressValues.get(key)) || 0;
    return { log: stderrTail, seconds: read("out_time_us") / 1e6, frames: read("frame") };
  } catch (error) {
    if (stall.signal.aborted && !run.signal.aborted) throw timeoutError(error);
    throw error instanceof EngineError ? translateMediaError(error, run.work.limits) : error;
  } finally {
    stall.cancel();
  }
}

/**
 * The duration of a run's output in seconds: that of the input, `probed`, unless less was `written`
 * because the input is truncated.
 */
export function writtenDuration(probed: number | undefined, written: number): number {
  return probed !== undefined && Math.abs(probed - written) < 1 ? probed : written;
}

/** The command line of `command`. Throws if an option adds an input that is not a work file. */
export function buildArguments(command: FfmpegCommand): string[] {
  const { width = 0, height = 0 } = command.frame ?? {};
  const limit = threadLimits.find(({ pixels }) => width * height <= pixels);
  const cores = availableParallelism();
  const maxThreads = limit?.threads ?? 1;
  const threads = `${Math.min(cores, maxThreads)}`;
  // As x264 chooses by itself: with a thread per core, cores wait for each other (5 % of the time).
  const encoderThreads = `${Math.min(Math.ceil(1.5 * cores), maxThreads)}`;
  const built = buildFluentCommand(command)._getArguments().map(String);
  const args = ["-nostdin", "-hide_banner", "-y", "-loglevel", command.logLevel ?? "warning"];
  args.push("-nostats", "-progress", "pipe:1", "-stats_period", "0.5");
  args.push("-filter_threads", threads, "-filter_complex_threads", threads);
  for (const [index, argument] of built.entries()) {
    const isInput = built[index - 1] === "-i";
    if (argument.startsWith("file:") && !isInput) args.push("-threads", encoderThreads);
    if (argument === "-i") {
      const path = built[index + 1] ?? "";
      if (!path.startsWith("file:") && !isRelayUrl(path)) {
        throw new Error("an input is not a work file");
      }
      const isPlaylist = command.inputs.some(
        (input) => input.isPlaylist && mediaPath(input.file) === path,
      );
      args.push(...(isPlaylist ? playlistGuardArguments : inputGuardArguments)(path));
      args.push("-threads", threads);
    }
    args.push(argument);
  }
  return args;
}

function buildFluentCommand({ inputs, filterGraphs, outputs }: FfmpegCommand) {
  const command = createCommand();
  // Options are passed as separate arguments: fluent-ffmpeg splits the items of an array at spaces.
  for (const { file, args = [] } of inputs) {
    command.input(mediaPath(file));
    if (args.length > 0) command.inputOptions(...args);
  }
  if (filterGraphs) command.complexFilter([...filterGraphs]);
  for (const { file, args } of outputs) {
    command.output(file ? mediaPath(file) : "-");
    const options = file ? args : [...args, "-f", "null"];
    if (options.length > 0) command.outputOptions(...options);
  }
  return command;
}

/** Keys of `-progress`. A change of their values means that the run makes progress. */
const progressKeys = new Set(["frame", "total_size", "out_time_us"]);

function reportProgress({ progress, duration }: FfmpegRun): (microseconds: number) => void {
  if (!progress || !duration || !(duration > 0)) return () => {};
  let highest = 0;
  return (microseconds) => {
    const percent = Math.min(100, microseconds / 1e4 / duration);
    if (!(percent > highest)) return;
    highest = percent;
    progress(percent);
  };
}

/** Its signal is aborted when `reset` has not been called for `stallMs`. */
function detectStall(stallMs: number) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), stallMs);
  return {
    signal: controller.signal,
    reset: () => void timer.refresh(),
    cancel: () => clearTimeout(timer),
  };
}
