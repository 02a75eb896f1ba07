import { execFileSync } from "node:child_process";
import { ffmpeg, ffprobe, h264, makeVideo, testPattern, tone } from "./videos.ts";

/** Videos with a flash and a beep at the same time, and when both are in an output. */

/** Makes a black video of `seconds`, 50 frames/s, with a white frame and a beep from `at` for 0.1 s. */
export function flashVideo(
  extension: string,
  at: number,
  seconds = 4,
  options: readonly string[] = [...h264, "-c:a", "aac"],
): string {
  const during = `between(t,${at},${at + 0.1})`;
  const black = testPattern(`color=black:size=64x36:rate=50:duration=${seconds}`, "color");
  return makeVideo(
    extension,
    ...[...black, ...tone(seconds)],
    ...["-vf", `drawbox=t=fill:c=white:enable='${during}'`],
    ...["-af", `volume=0:enable='not(${during})'`],
    ...options,
  );
}

/** When the first bright frame is shown and the first loud sample is played, in seconds. */
export function flashTimes(path: string): { light: number; beep: number } {
  const start = Number(ffprobe(path).format.start_time ?? 0);
  const source = `movie=${path},signalstats`;
  const entries = "frame=pts_time:frame_tags=lavfi.signalstats.YAVG";
  const show = ["-f", "lavfi", "-i", source, "-show_entries", entries, "-of", "csv=p=0"];
  const frames = execFileSync("ffprobe", ["-v", "error", ...show])
    .toString()
    .trim()
    .split("\n");
  const bright = frames.map((line) => line.split(",")).find(([, luma]) => Number(luma) > 128);
  // Silence fills what is before the first sample.
  const fill = ["-af", "aresample=48000:async=1:first_pts=0", "-ac", "1", "-f", "s16le", "-"];
  const samples = new Int16Array(new Uint8Array(ffmpeg("-i", path, "-map", "0:a", ...fill)).buffer);
  const loud = samples.findIndex((sample) => Math.abs(sample) > 1000);
  return { light: Number(bright?.[0]) - start, beep: loud / 48_000 };
}
