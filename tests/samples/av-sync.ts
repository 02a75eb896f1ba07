import { h264, makeVideo, testPattern, tone } from "./videos.ts";
import { runCopy } from "./zygote/run-copy.ts";

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
    ...black,
    ...tone(seconds),
    "-vf",
    `drawbox=t=fill:c=white:enable='${during}'`,
    "-af",
    `volume=0:enable='not(${during})'`,
    ...options,
  );
}

/** When the first bright frame is shown and the first loud sample is played, in seconds. */
export function flashTimes(path: string): { light: number; beep: number } {
  const print = "signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-";
  const frames = ["-map", "0:v:0", "-vf", print, "-fps_mode", "passthrough", "-f", "null", "-"];
  // Silence fills what is before the first sample.
  const fill = ["-map", "0:a:0", "-af", "aresample=48000:async=1:first_pts=0", "-ac", "1"];
  const args = ["-v", "error", "-nostdin", "-i", path, ...frames, ...fill, "-f", "s16le", "pipe:3"];
  const { stdout, third } = runCopy("ffmpeg", args);
  const lumas = stdout.toString().matchAll(/pts_time:(\S+)\s+lavfi.signalstats.YAVG=(\S+)/g);
  const bright = [...lumas].find(([, , luma]) => Number(luma) > 128);
  const samples = new Int16Array(new Uint8Array(third).buffer);
  const loud = samples.findIndex((sample) => Math.abs(sample) > 1000);
  return { light: Number(bright?.[1]), beep: loud / 48_000 };
}
