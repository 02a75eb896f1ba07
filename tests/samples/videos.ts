import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Films made by ffmpeg when first asked for, and what tests read from the results. */

let folder: string | undefined;

/** A folder for this process's films; it goes when the process ends. */
export function videoFolder(): string {
  if (folder) return folder;
  const made = mkdtempSync(join(tmpdir(), "mediamill-films-"));
  process.on("exit", () => rmSync(made, { recursive: true, force: true }));
  folder = made;
  return made;
}

/** Runs the bare ffmpeg, unsandboxed: only on files of our own making. Answers its stdout. */
export function ffmpeg(...args: string[]): Buffer {
  return execFileSync("ffmpeg", ["-v", "error", "-nostdin", "-y", ...args], {
    cwd: videoFolder(),
    maxBuffer: 2 ** 28,
  });
}

/** The file that ffmpeg makes of `args`, with the given extension; made once. */
export function makeVideo(extension: string, ...args: string[]): string {
  const key = createHash("sha256").update(JSON.stringify(args)).digest("hex").slice(0, 16);
  const path = join(videoFolder(), `${key}.${extension}`);
  if (!existsSync(path)) ffmpeg(...args, path);
  return path;
}

export const picture = (options = "size=320x180:rate=25:duration=2", source = "testsrc2") => [
  "-f",
  "lavfi",
  "-i",
  `${source}=${options}`,
];

export const tone = (seconds = 2, frequency = 440) => [
  "-f",
  "lavfi",
  "-i",
  `sine=frequency=${frequency}:duration=${seconds}:sample_rate=48000`,
];

export const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];

/** Two seconds, 320×180, 25 frames/s, H.264 and AAC. */
export function film(): string {
  return makeVideo("mp4", ...picture(), ...tone(), ...h264, "-c:a", "aac");
}

/** A third of a second, 64×36, 10 frames/s, H.264 and AAC: where it matters only that it is a film. */
export function smallFilm(): string {
  const small = picture("size=64x36:rate=10:duration=0.3");
  return makeVideo("mp4", ...small, ...tone(0.3), ...h264, "-c:a", "aac");
}

/** A Matroska film with a title, two chapters and a subtitle track. */
export function filmWithText(): string {
  const subtitles = join(videoFolder(), "lines.srt");
  writeFileSync(subtitles, "1\n00:00:00,200 --> 00:00:00,900\nHello\n\n");
  const metadata = join(videoFolder(), "chapters.txt");
  const chapter = (title: string, start: number, end: number) =>
    `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${end}\ntitle=${title}\n`;
  const chapters = chapter("One", 0, 1000) + chapter("Two", 1000, 2000);
  writeFileSync(metadata, `;FFMETADATA1\ntitle=A film\n${chapters}`);
  const maps = ["-map", "0", "-map", "1", "-map", "2", "-map_metadata", "3"];
  const inputs = [...picture(), ...tone(), "-i", subtitles, "-i", metadata];
  return makeVideo("mkv", ...inputs, ...maps, ...h264, "-c:a", "aac", "-c:s", "srt");
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  /** RGB, 8 bits. */
  readonly data: Buffer;
}

/** The picture on screen at `seconds`, rotated as a player would. */
export function frameAt(path: string, seconds = 0): Frame {
  const seek = seconds > 0 ? ["-ss", `${seconds}`] : [];
  const ppm = ffmpeg(...seek, "-i", path, "-frames:v", "1", "-f", "image2pipe", "-c:v", "ppm", "-");
  const header = /^P6\s(\d+) (\d+)\s255\s/.exec(ppm.toString("latin1", 0, 40));
  if (!header) throw new Error("no frame");
  const [whole, width, height] = header;
  return { width: Number(width), height: Number(height), data: ppm.subarray(whole.length) };
}

/** Red, green and blue at a place of a frame, 0 to 255. */
export function pixelAt({ width, data }: Frame, x: number, y: number): [number, number, number] {
  const at = (y * width + x) * 3;
  return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
}

/** Pixels of a frame for which `test` holds, as the box around them; undefined where there are none. */
export function boxOf(frame: Frame, test: (red: number, green: number, blue: number) => boolean) {
  const box = { left: frame.width, top: frame.height, right: -1, bottom: -1, count: 0 };
  for (let y = 0; y < frame.height; y++) {
    for (let x = 0; x < frame.width; x++) {
      if (!test(...pixelAt(frame, x, y))) continue;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
      box.count++;
    }
  }
  return box.count > 0 ? box : undefined;
}

interface ProbedStream {
  readonly codec_type: string;
  readonly codec_name: string;
  readonly tags?: Record<string, string>;
  readonly [field: string]: unknown;
}

interface Probed {
  readonly format: {
    readonly duration?: string;
    readonly format_name: string;
    readonly tags?: Record<string, string>;
  };
  readonly streams: readonly ProbedStream[];
  readonly chapters: readonly { readonly tags?: Record<string, string> }[];
}

/** ffprobe's own JSON. */
export function ffprobe(path: string, ...options: string[]): Probed {
  const show = ["-show_format", "-show_streams", "-show_chapters"];
  const text = execFileSync("ffprobe", ["-v", "error", "-of", "json", ...show, ...options, path]);
  // The shape is ffprobe's, on a file of our own making.
  return JSON.parse(text.toString()) as Probed;
}

/** Its streams of one type. */
export function streamsOf(path: string, type: "video" | "audio" | "subtitle" | "attachment") {
  return ffprobe(path).streams.filter((stream) => stream.codec_type === type);
}

/** The times at which a film's frames are shown, in seconds, ascending. */
export function frameTimes(path: string): number[] {
  const args = ["-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time"];
  const text = execFileSync("ffprobe", [...args, "-of", "csv=p=0", path]).toString();
  return text
    .trim()
    .split("\n")
    .map(Number.parseFloat)
    .sort((a, b) => a - b);
}

/** A hash over the packets of each audio track, as they stand in the file. */
export function audioHashes(path: string): string[] {
  const text = ffmpeg("-i", path, "-map", "0:a", "-c", "copy", "-f", "streamhash", "-").toString();
  return text.trim().split("\n");
}

/** How alike two films are, 1 being the same, in a region `width:height:x:y` of both. */
export function ssim(first: string, second: string, region = "iw:ih:0:0"): number {
  const graph = `[0:v]crop=${region}[a];[1:v]crop=${region}[b];[a][b]ssim=stats_file=-`;
  const text = ffmpeg("-i", first, "-i", second, "-lavfi", graph, "-f", "null", "-").toString();
  const values = [...text.matchAll(/All:([\d.]+)/g)].map((match) => Number(match[1]));
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The boxes at the top level of an MP4 file, in order. */
export function topBoxes(path: string): string[] {
  const bytes = readFileSync(path);
  const names: string[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    names.push(bytes.toString("latin1", at + 4, at + 8));
    at += size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : Math.max(size, 8);
  }
  return names;
}
