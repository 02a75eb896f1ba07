import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes videos with ffmpeg, each once for a process, and reads the properties of videos. */

let folder: string | undefined;

/** The folder for the videos of this process; it is removed when the process ends. */
export function videoFolder(): string {
  if (folder) return folder;
  const made = mkdtempSync(join(tmpdir(), "mediamill-videos-"));
  process.on("exit", () => rmSync(made, { recursive: true, force: true }));
  folder = made;
  return made;
}

/** Runs ffmpeg without a sandbox, so only for files that tests create. Returns its stdout. */
export function ffmpeg(...args: string[]): Buffer {
  return execFileSync("ffmpeg", ["-v", "error", "-nostdin", "-y", ...args], {
    cwd: videoFolder(),
    maxBuffer: 2 ** 28,
  });
}

/** Makes a file with ffmpeg; the same arguments return the same file. */
export function makeVideo(extension: string, ...args: string[]): string {
  const key = createHash("sha256").update(JSON.stringify(args)).digest("hex").slice(0, 16);
  const path = join(videoFolder(), `${key}.${extension}`);
  if (!existsSync(path)) ffmpeg(...args, path);
  return path;
}

/** Input arguments of ffmpeg for a test pattern, or another lavfi video `source`. */
export const testPattern = (options = "size=320x180:rate=25:duration=2", source = "testsrc2") => [
  "-f",
  "lavfi",
  "-i",
  `${source}=${options}`,
];

/** Input arguments of ffmpeg for a sine tone; `seconds` long, `frequency` in Hz. */
export const tone = (seconds = 2, frequency = 440) => [
  "-f",
  "lavfi",
  "-i",
  `sine=frequency=${frequency}:duration=${seconds}:sample_rate=48000`,
];

/** Fast H.264 encoding. */
export const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];

/** Makes an MP4 of 2 s, 320 × 180, 25 frames/s, H.264 and AAC. */
export function sampleVideo(): string {
  return makeVideo("mp4", ...testPattern(), ...tone(), ...h264, "-c:a", "aac");
}

/** Makes an MP4 of 0.3 s, 64 × 36, 10 frames/s, H.264 and AAC, for tests that accept any video. */
export function smallVideo(): string {
  const small = testPattern("size=64x36:rate=10:duration=0.3");
  return makeVideo("mp4", ...small, ...tone(0.3), ...h264, "-c:a", "aac");
}

/** Makes a Matroska video with a title, two chapters and a subtitle track. */
export function videoWithText(): string {
  const subtitles = join(videoFolder(), "lines.srt");
  writeFileSync(subtitles, "1\n00:00:00,200 --> 00:00:00,900\nHello\n\n");
  const metadata = join(videoFolder(), "chapters.txt");
  const chapter = (title: string, start: number, end: number) =>
    `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${end}\ntitle=${title}\n`;
  const chapters = chapter("One", 0, 1000) + chapter("Two", 1000, 2000);
  writeFileSync(metadata, `;FFMETADATA1\ntitle=A video\n${chapters}`);
  const maps = ["-map", "0", "-map", "1", "-map", "2", "-map_metadata", "3"];
  const inputs = [...testPattern(), ...tone(), "-i", subtitles, "-i", metadata];
  return makeVideo("mkv", ...inputs, ...maps, ...h264, "-c:a", "aac", "-c:s", "srt");
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  /** RGB, 8 bits. */
  readonly data: Buffer;
}

/** Decodes the frame at `seconds`, rotated as in a player. */
export function frameAt(path: string, seconds = 0): Frame {
  const seek = seconds > 0 ? ["-ss", `${seconds}`] : [];
  const ppm = ffmpeg(...seek, "-i", path, "-frames:v", "1", "-f", "image2pipe", "-c:v", "ppm", "-");
  const header = /^P6\s(\d+) (\d+)\s255\s/.exec(ppm.toString("latin1", 0, 40));
  if (!header) throw new Error("no frame");
  const [whole, width, height] = header;
  return { width: Number(width), height: Number(height), data: ppm.subarray(whole.length) };
}

/** Decodes all frames of `width` × `height` pixels, rotated as in a player. */
export function framesOf(path: string, width: number, height: number): Frame[] {
  const raw = ["-fps_mode", "passthrough", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"];
  const data = ffmpeg("-i", path, "-map", "0:v:0", ...raw);
  const size = width * height * 3;
  return Array.from({ length: data.length / size }, (_, index) => ({
    ...{ width, height, data: data.subarray(index * size, (index + 1) * size) },
  }));
}

/** Red, green and blue of a pixel, 0 to 255. */
export function pixelAt({ width, data }: Frame, x: number, y: number): [number, number, number] {
  const at = (y * width + x) * 3;
  return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
}

/** The bounding box and count of the pixels for which `test` returns true; undefined if there are none. */
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
    readonly start_time?: string;
    readonly format_name: string;
    readonly tags?: Record<string, string>;
  };
  readonly streams: readonly ProbedStream[];
  readonly chapters: readonly {
    readonly start_time?: string;
    readonly end_time?: string;
    readonly tags?: Record<string, string>;
  }[];
}

/** Runs ffprobe and returns its JSON. */
export function ffprobe(path: string, ...options: string[]): Probed {
  const show = ["-show_format", "-show_streams", "-show_chapters"];
  const text = execFileSync("ffprobe", ["-v", "error", "-of", "json", ...show, ...options, path]);
  // ffprobe's format, for files that the test created.
  return JSON.parse(text.toString()) as Probed;
}

/** The streams of one type. */
export function streamsOf(path: string, type: "video" | "audio" | "subtitle" | "attachment") {
  return ffprobe(path).streams.filter((stream) => stream.codec_type === type);
}

/** The presentation times of the frames of a video, in seconds, ascending. */
export function frameTimes(path: string): number[] {
  const args = ["-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time"];
  const text = execFileSync("ffprobe", [...args, "-of", "csv=p=0", path]).toString();
  // A line is empty for the additional data of a packet, as MPEG-TS has it.
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map(Number.parseFloat).sort((a, b) => a - b);
}

/** A hash of the packets of each audio stream. */
export function audioHashes(path: string): string[] {
  const text = ffmpeg("-i", path, "-map", "0:a", "-c", "copy", "-f", "streamhash", "-").toString();
  return text.trim().split("\n");
}

/** The structural similarity of two videos in a region `width:height:x:y`; 1 if they are equal. */
export function ssim(first: string, second: string, region = "iw:ih:0:0"): number {
  const graph = `[0:v]crop=${region}[a];[1:v]crop=${region}[b];[a][b]ssim=stats_file=-`;
  const text = ffmpeg("-i", first, "-i", second, "-lavfi", graph, "-f", "null", "-").toString();
  const values = [...text.matchAll(/All:([\d.]+)/g)].map((match) => Number(match[1]));
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The types of the top-level boxes of an MP4 file, in order. */
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
