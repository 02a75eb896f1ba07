import {
  limitFrames,
  mapGraphOutput,
  onlyKeyFrames,
  seekTo,
} from "#lib/engines/ffmpeg/arguments.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import type { VideoStream } from "#lib/engines/ffmpeg/video-frame.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { readReport } from "#lib/files/regular-files.ts";

/** Candidates, as shares of the duration, in order of preference: after the opening, before the end. */
const candidateShares = [0.1, 0.2, 0.35, 0.5, 0.7];

/** Difference between the darkest and the brightest tenth of a frame, of 255. Below it, a frame is black or flat. */
const minContrast = 24;

/** Only key frames are decoded. One that is more seconds away does not represent its candidate. */
const maxDistance = 5;

interface Scene {
  /** The start in seconds from the start of the video. */
  readonly start: number;
  readonly contrast: number;
}

interface Source {
  readonly file: WorkFile;
  readonly video: VideoStream;
  readonly duration: number;
}

/**
 * Selects where a preview starts, in seconds from 0 to `latest`: at the first of a few candidates whose
 * frame is neither black nor of one color, moved to its key frame if that is near. The same video
 * always gives the same start. Throws what `runFfmpeg` throws.
 */
export async function selectPreviewStart(
  source: Source,
  latest: number,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<number> {
  if (latest === 0) return 0;
  const shares = candidateShares.map((share) => Math.min(source.duration * share, latest));
  const [first = 0, ...others] = new Set(shares);
  // Usually the first one is suitable. Each candidate reads the index of the file again.
  const scenes = await readScenes(source, [first], work, signal).catch((error): Scene[] => {
    // The video may be damaged only there.
    if (others.length > 0 && error instanceof JobError && error.code === "corrupt") return [];
    throw error;
  });
  if (!scenes.some(hasContrast) && others.length > 0) {
    scenes.push(...(await readScenes(source, others, work, signal)));
  }
  const best = scenes.find(hasContrast) ?? scenes[0];
  return Math.max(0, Math.min(best?.start ?? 0, latest));
}

function hasContrast({ contrast }: Scene): boolean {
  return contrast >= minContrast;
}

/** The scenes at `times`, in their order, without those that could not be decoded. */
async function readScenes(
  { file, video }: Source,
  times: readonly number[],
  work: WorkFolder,
  signal: AbortSignal,
): Promise<Scene[]> {
  const candidates = times.map((at) => ({ at, report: work.scratch("txt") }));
  const filters = candidates.map(
    ({ report }, index) =>
      `[${index}:${video.index}]scale=64:36,format=yuv420p,signalstats,` +
      `metadata=print:file=${report.name}[out${index}]`,
  );
  await runFfmpeg({
    work,
    signal,
    frame: video,
    inputs: candidates.map(({ at }) => ({ file, args: [...seekTo(at), ...onlyKeyFrames] })),
    filterGraphs: filters,
    outputs: candidates.map((_, index) => ({
      args: [...mapGraphOutput(`out${index}`), ...limitFrames(1)],
    })),
  });
  const scenes: Scene[] = [];
  for (const { at, report } of candidates) {
    // There is no report of a candidate that could not be decoded.
    const scene = readScene(await readReport(report.path, "utf8").catch(() => ""), at);
    if (scene) scenes.push(scene);
  }
  return scenes;
}

/** Parses the first frame in a report of the `metadata` filter, whose times start at `at`. */
function readScene(report: string, at: number): Scene | undefined {
  const read = (name: string) => Number(new RegExp(`\\b${name}[:=](-?[\\d.]+)`).exec(report)?.[1]);
  const offset = read("pts_time");
  const low = read("YLOW");
  const high = read("YHIGH");
  if (![offset, low, high].every(Number.isFinite)) return undefined;
  const start = Math.abs(offset) <= maxDistance ? at + offset : at;
  return { start, contrast: high - low };
}
