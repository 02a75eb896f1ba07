import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Creates a video of about `wantedBytes` at `path`, with `clip.mp4` in `folder`, of which it is made. Noise does not
 * compress, so that two seconds make a large file.
 */
export async function makeLargeVideo(
  folder: string,
  path: string,
  wantedBytes: number,
): Promise<void> {
  const clip = join(folder, "clip.mp4");
  const noise = ["-f", "lavfi", "-i", "nullsrc=s=1920x1080:r=25:d=2"];
  const filter = ["-vf", "geq=random(1)*255:128:128"];
  const codec = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-b:v", "150M"];
  const head = ["-v", "error", "-y"];
  await run("ffmpeg", [...head, ...noise, ...filter, ...codec, "-metadata", "title=Holiday", clip]);
  const loops = String(Math.ceil(wantedBytes / (await stat(clip)).size) - 1);
  await run("ffmpeg", [...head, "-stream_loop", loops, "-i", clip, "-c", "copy", path]);
}
