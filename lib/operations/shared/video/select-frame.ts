import {
  limitFrames,
  mapGraphOutput,
  onlyKeyFrames,
  rawFrames,
  seekTo,
} from "#lib/engines/ffmpeg/arguments.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { type FrameSource, frameAtFilters } from "#lib/engines/ffmpeg/frames/read-frame.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { readReport } from "#lib/files/regular-files.ts";
import { type FrameDetail, measureDetail } from "./measure-detail.ts";
import { allowsParallelReads } from "./sample-frames.ts";

/** Candidates, as shares of the duration, in order of preference. Each set is one run. */
const candidateShares = [
  [0.1, 0.2, 0.35, 0.5],
  [0.65, 0.8, 0.05, 0.95],
];

/** Brightness of 255 between the darkest and the brightest tenth. Below it, a frame is black or flat. */
const minContrast = 24;

/** A frame with less than this share of the sharpness of the sharpest candidate is blurred. */
const minRelativeSharpness = 0.4;

/** The size in which frames are compared. */
const size = { width: 320, height: 180 };

/** Videos up to this length, in seconds, seldom have a key frame for each candidate. */
const shortSeconds = 15;

interface Reading {
  /** The time in seconds from the start of the file. */
  readonly time: number;
  /** Whether the key frame before the time is meant, instead of the frame that is on screen then. */
  readonly isKey: boolean;
}

interface Candidate extends FrameDetail, Reading {}

/**
 * Selects the time of a frame that is neither black nor blurred, in seconds: the first of a few candidates
 * with contrast that is about as sharp as the sharpest of them. The same video always gives the same
 * time. Throws what `runFfmpeg` throws, except for damage.
 */
export async function selectFrame(
  source: FrameSource,
  duration: number,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<number> {
  const found: Candidate[] = [];
  for (const shares of candidateShares) {
    const times = shares.map((share) => duration * share);
    const read = (all: readonly Reading[]) => readCandidates(source, all, work, signal);
    const key = times.map((time): Reading => ({ time, isKey: true }));
    const exact = times.map((time): Reading => ({ time, isKey: false }));
    // Key frames are cheap to decode and have the best quality.
    const isShort = duration <= shortSeconds && allowsParallelReads(source);
    const both = await read(isShort ? [...key, ...exact] : key);
    let candidates = both.filter(({ isKey }) => isKey);
    const distinct = new Set(candidates.map(({ time }) => time.toFixed(3)));
    if (distinct.size < shares.length) {
      candidates = isShort ? both.filter(({ isKey }) => !isKey) : await read(exact);
    }
    found.push(...candidates);
    const best = findBest(found);
    if (best) return best.time;
  }
  const [brightest] = found.toSorted((a, b) => b.contrast - a.contrast);
  return brightest?.time ?? 0;
}

function findBest(candidates: readonly Candidate[]): Candidate | undefined {
  const usable = candidates.filter(({ contrast }) => contrast >= minContrast);
  const sharpest = Math.max(...usable.map(({ sharpness }) => sharpness));
  return usable.find(({ sharpness }) => sharpness >= sharpest * minRelativeSharpness);
}

/** The frames of `wanted`, without those that could not be decoded. */
async function readCandidates(
  { file, video }: FrameSource,
  wanted: readonly Reading[],
  work: WorkFolder,
  signal: AbortSignal,
): Promise<Candidate[]> {
  const readings = wanted.map((one) => ({
    ...one,
    report: work.scratch("txt"),
    pixels: work.scratch("yuv"),
  }));
  const filters = readings.map(
    ({ isKey, report }, index) =>
      `[${index}:${video.index}]${isKey ? "" : `${frameAtFilters(0).join(",")},`}` +
      `scale=${size.width}:${size.height},format=yuv420p,signalstats,` +
      `metadata=print:file=${report.name}[out${index}]`,
  );
  const run = runFfmpeg({
    work,
    signal,
    frame: video,
    inputs: readings.map(({ time, isKey }) => ({
      file,
      args: [...seekTo(time), ...(isKey ? onlyKeyFrames : [])],
    })),
    filterGraphs: filters,
    outputs: readings.map(({ pixels }, index) => ({
      file: pixels,
      args: [...mapGraphOutput(`out${index}`), ...limitFrames(1), ...rawFrames],
    })),
  });
  // The video may be damaged only there.
  await run.catch((error) => {
    if (!(error instanceof JobError && error.code === "corrupt")) throw error;
  });
  const candidates: Candidate[] = [];
  for (const { time, isKey, report, pixels } of readings) {
    const data = await readReport(pixels.path).catch(() => Buffer.alloc(0));
    if (data.length < size.width * size.height) continue;
    const offset = /\bpts_time:(-?[\d.]+)/.exec(await readReport(report.path, "utf8"))?.[1];
    const shown = isKey ? Math.max(0, time + Number(offset ?? 0)) : time;
    candidates.push({ time: shown, isKey, ...measureDetail(data, size) });
  }
  return candidates;
}
