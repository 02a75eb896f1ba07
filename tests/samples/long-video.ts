import { join } from "node:path";
import { execProgram } from "./zygote/exec-program.ts";

/**
 * Creates `long.mp4` and `long-index-first.mp4` in `folder`: noisy video, of about 330 kB per second by default, with
 * sound and a key frame per second. One part of 4 seconds is encoded, and repeated.
 */
export function makeLongVideos(
  folder: string,
  seconds: number,
  videoBitRate = "2600k",
): { readonly indexLast: string; readonly indexFirst: string } {
  const ffmpeg = (...args: string[]) => execProgram("ffmpeg", ["-v", "error", "-y", ...args]);
  const part = join(folder, "long-part.mp4");
  ffmpeg(
    "-f",
    "lavfi",
    "-i",
    "testsrc2=s=320x180:r=25:d=4,noise=alls=40:allf=t",
    "-f",
    "lavfi",
    "-i",
    "sine=d=4",
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
    "-b:v",
    videoBitRate,
    "-g",
    "25",
    "-pix_fmt",
    "yuv420p",
    "-c:a",
    "aac",
    part,
  );
  const indexLast = join(folder, "long.mp4");
  const indexFirst = join(folder, "long-index-first.mp4");
  ffmpeg("-stream_loop", `${Math.ceil(seconds / 4) - 1}`, "-i", part, "-c", "copy", indexLast);
  ffmpeg("-i", indexLast, "-c", "copy", "-movflags", "+faststart", indexFirst);
  return { indexLast, indexFirst };
}
