import { availableParallelism } from "node:os";
import createCommand, { type FfmpegCommand } from "fluent-ffmpeg";
import { env } from "#lib/env.ts";
import { EngineError } from "../sandbox/errors.ts";
import { runEngine } from "../sandbox/process.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { guardedInputOptions } from "./demuxers.ts";
import { explainMediaFailure, stallError } from "./errors.ts";

/** The only module that knows fluent-ffmpeg: it builds the arguments, and our spawner runs them. */

export type { FfmpegCommand };

export interface FfmpegRun {
  /** Inputs, outputs and scratch files lie in it; ffmpeg sees nothing else. */
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  /** Adds inputs, options and outputs, each file as `mediaPath(file)`. */
  readonly build: (command: FfmpegCommand) => FfmpegCommand;
  /** Told 0 to 100, never falling. Needs `duration`. */
  readonly progress?: ((percent: number) => void) | undefined;
  /** Length of what is written, in seconds; progress is measured against it. */
  readonly duration?: number | undefined;
  /** Size of the frames that are decoded, in pixels; large ones get fewer threads. */
  readonly frame?: { readonly width: number; readonly height: number };
  /** `info` where a filter prints what the caller wants to read; `warning`. */
  readonly logLevel?: "warning" | "info";
  /** Killed when its figures stand still this long; 60 s. */
  readonly stallMs?: number;
}

/**
 * Threads of a decoder, encoder or filter, by the pixels of a frame: each holds several frames, and all
 * must fit into the memory limit (measured: 8 threads at 2160p and 4 at 4320p do, 16 at 2160p do not).
 */
const threadLimits = [
  { pixels: 1920 * 1088, threads: 16 },
  { pixels: 4096 * 2304, threads: 8 },
  { pixels: Number.POSITIVE_INFINITY, threads: 4 },
];

/** Of address space as well. */
const memoryBytes = 4 * 2 ** 30;

/** How `file` is named to ffmpeg: never a protocol, never an option, never a pattern. */
export function mediaPath(file: WorkFile): string {
  return `file:${file.name}`;
}

export interface FfmpegResult {
  /** The last 4 KiB of what it told; hostile text. */
  readonly log: string;
  /** About where what was written ends, in seconds: frames that wait for others are not counted. */
  readonly seconds: number;
  /** Frames of the first output that was encoded or copied; 0 for sound alone. */
  readonly frames: number;
}

/**
 * Runs ffmpeg to its end, sandboxed, with the allow-lists in front of every input. Throws `JobError`
 * (`corrupt`, `unsupported_type`, `too_complex`, `too_large`, `timed_out`, `out_of_memory`,
 * `engine_crashed`), and `EngineError` where it was stopped or the fault is ours.
 */
export async function runFfmpeg(run: FfmpegRun): Promise<FfmpegResult> {
  const stall = watchStall(run.stallMs ?? 60_000);
  const figures = new Map<string, string>();
  const onProgress = readProgress(run);
  try {
    const { stderrTail } = await runEngine({
      engine: "ffmpeg",
      command: "ffmpeg",
      args: buildArguments(run),
      ...run.work.view,
      signal: AbortSignal.any([run.signal, stall.signal]),
      onLine: (line) => {
        const [key = "", value = ""] = line.trim().split("=");
        if (!workFigures.has(key) || figures.get(key) === value) return;
        figures.set(key, value);
        stall.postpone();
        if (key === "out_time_us") onProgress(Number(value));
      },
      // glibc reserves 64 MiB of address space a thread otherwise, which the limit would count.
      variables: { MALLOC_ARENA_MAX: "2" },
      limits: {
        timeoutMs: env.JOB_TIMEOUT * 1000,
        cpuSeconds: env.JOB_TIMEOUT * availableParallelism(),
        memoryBytes,
        limitsAddressSpace: true,
        fileBytes: run.work.limits.resultBytes,
        outputBytes: 256 * 2 ** 20,
      },
    });
    await run.work.requireFiles("ffmpeg");
    const read = (key: string) => Number(figures.get(key)) || 0;
    return { log: stderrTail, seconds: read("out_time_us") / 1e6, frames: read("frame") };
  } catch (error) {
    if (stall.signal.aborted && !run.signal.aborted) throw stallError(error);
    throw error instanceof EngineError ? explainMediaFailure(error, run.work.limits) : error;
  } finally {
    stall.end();
  }
}

/**
 * How long the result of a run lasts, in seconds: as long as its input, `probed`, unless far less was
 * written because the input breaks off.
 */
export function writtenDuration(probed: number | undefined, written: number): number {
  return probed !== undefined && Math.abs(probed - written) < 1 ? probed : written;
}

/** The whole argument list of `run`. Throws where an input is not a file of the work folder. */
export function buildArguments(run: Pick<FfmpegRun, "build" | "frame" | "logLevel">): string[] {
  const { width = 0, height = 0 } = run.frame ?? {};
  const limit = threadLimits.find(({ pixels }) => width * height <= pixels);
  const threads = `${Math.min(availableParallelism(), limit?.threads ?? 1)}`;
  const built = run.build(createCommand())._getArguments().map(String);
  const args = ["-nostdin", "-hide_banner", "-y", "-loglevel", run.logLevel ?? "warning"];
  args.push("-nostats", "-progress", "pipe:1", "-stats_period", "0.5");
  args.push("-filter_threads", threads, "-filter_complex_threads", threads);
  for (const [index, argument] of built.entries()) {
    const isInput = built[index - 1] === "-i";
    if (argument.startsWith("file:") && !isInput) args.push("-threads", threads);
    if (argument === "-i") {
      if (!built[index + 1]?.startsWith("file:")) throw new Error("an input is not a work file");
      args.push(...guardedInputOptions, "-threads", threads);
    }
    args.push(argument);
  }
  return args;
}

/** What of `-progress` tells that work goes on, while it changes. */
const workFigures = new Set(["frame", "total_size", "out_time_us"]);

function readProgress({ progress, duration }: FfmpegRun): (microseconds: number) => void {
  if (!progress || !duration || !(duration > 0)) return () => {};
  let highest = 0;
  return (microseconds) => {
    const percent = Math.min(100, microseconds / 1e4 / duration);
    if (!(percent > highest)) return;
    highest = percent;
    progress(percent);
  };
}

/** Aborts once `postpone` has not been called for `stallMs`. */
function watchStall(stallMs: number) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), stallMs);
  return {
    signal: controller.signal,
    postpone: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  };
}
