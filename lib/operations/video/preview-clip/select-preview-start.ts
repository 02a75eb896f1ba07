import { readFile } from "node:fs/promises";
import { mediaPath, runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import type { Film } from "#lib/engines/ffmpeg/video-frame.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";

/** Shares of a film's length to look at, in order of preference: past the opening, before the end. */
const places = [0.1, 0.2, 0.35, 0.5, 0.7];

/** Between the darkest and the brightest tenth of a frame, of 255; below it a frame is black or flat. */
const leastContrast = 24;

/** Seconds. Looking is cheap at key frames; one further off says nothing of the place. */
const nearby = 5;

interface Scene {
  /** Seconds from the film's start. */
  readonly start: number;
  readonly contrast: number;
}

/**
 * Where a film is worth watching, in seconds from 0 to `latest`: the first of a few places whose
 * picture is neither black nor of one colour, at the key frame next to it where one is near. The same
 * film always gives the same place. Throws what `runFfmpeg` throws.
 */
export async function pickScene(
  film: { readonly file: WorkFile; readonly video: Film; readonly duration: number },
  latest: number,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<number> {
  const times = new Set(places.map((share) => Math.min(film.duration * share, latest)));
  const candidates = [...times].map((at) => ({ at, report: work.scratch("txt") }));
  const looks = candidates.map(
    ({ report }, index) =>
      `[${index}:${film.video.index}]scale=64:36,format=yuv420p,signalstats,` +
      `metadata=print:file=${report.name}[look${index}]`,
  );
  await runFfmpeg({
    work,
    signal,
    frame: film.video,
    build: (command) => {
      for (const { at } of candidates) {
        command.input(mediaPath(film.file));
        command.inputOptions(["-ss", at.toFixed(3), "-noaccurate_seek", "-skip_frame", "nokey"]);
      }
      command.complexFilter(looks);
      for (const index of candidates.keys()) {
        command
          .output("-")
          .outputOptions(["-map", `[look${index}]`, "-frames:v", "1", "-f", "null"]);
      }
      return command;
    },
  });
  const scenes: Scene[] = [];
  for (const { at, report } of candidates) {
    // A place where nothing could be decoded leaves no report.
    const scene = readScene(await readFile(report.path, "utf8").catch(() => ""), at);
    if (scene) scenes.push(scene);
  }
  const best = scenes.find(({ contrast }) => contrast >= leastContrast) ?? scenes[0];
  return Math.max(0, Math.min(best?.start ?? 0, latest));
}

/** The first frame of a report of the `metadata` filter; its time counts from `at`. */
function readScene(report: string, at: number): Scene | undefined {
  const read = (name: string) => Number(new RegExp(`\\b${name}[:=](-?[\\d.]+)`).exec(report)?.[1]);
  const [offset, low, high] = [read("pts_time"), read("YLOW"), read("YHIGH")];
  if (![offset, low, high].every(Number.isFinite)) return undefined;
  const start = Math.abs(offset) <= nearby ? at + offset : at;
  return { start, contrast: high - low };
}
