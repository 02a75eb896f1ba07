import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeMedia, readMedia, runFfmpeg } from "./media-files.ts";

/** Makes videos with ffmpeg, each once, and reads the properties of videos. */

let folder: string | undefined;

/** The folder for further files of this process; it is removed when the process ends. */
export function videoFolder(): string {
  if (folder) return folder;
  const made = mkdtempSync(join(tmpdir(), "mediamill-videos-"));
  process.on("exit", () => rmSync(made, { recursive: true, force: true }));
  folder = made;
  return made;
}

/** Runs ffmpeg without a sandbox, so only for files that tests create. Returns its stdout, read only once. */
export function ffmpeg(...args: string[]): Buffer {
  return args.at(-1) === "-" ? readMedia("ffmpeg", args) : runFfmpeg(args, videoFolder());
}

/** Makes a file with ffmpeg; the same arguments return the same file, which no test may change. */
export function makeVideo(extension: string, ...args: string[]): string {
  return makeMedia(extension, args);
}

/** A video of 6 s in MKV with the audio `source` of ffmpeg, which has no packets from 1 to 3 s. */
export function makeVideoWithGap(source: string): string {
  const video = ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=10:d=6"];
  const audio = ["-f", "lavfi", "-i", `${source}:d=6`];
  const filter = "[1:a]asetnsamples=n=441,aselect='not(between(t,1,2.995))'[audio]";
  const streams = [
    "-filter_complex",
    filter,
    "-map",
    "0:v",
    "-map",
    "[audio]",
    "-c:a",
    "pcm_s16le",
  ];
  return makeVideo("mkv", ...video, ...audio, ...streams);
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

/** The arguments of a fast H.264 encoding. */
export const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];

/** Makes an MP4 of 2 s, 320 × 180, 25 frames/s, H.264 and AAC. */
export function sampleVideo(): string {
  return makeVideo("mp4", ...testPattern(), ...tone(), ...h264, "-c:a", "aac");
}

/** Makes an MP4 as `sampleVideo` does, but of five frames in 0.5 s, for tests of what frames show. */
export function shortVideo(): string {
  const short = testPattern("size=320x180:rate=10:duration=0.5");
  return makeVideo("mp4", ...short, ...tone(0.5), ...h264, "-c:a", "aac");
}

/** Makes an MP4 of 0.3 s, 64 × 36, 10 frames/s, H.264 and AAC, for tests that accept any video. */
export function smallVideo(): string {
  const small = testPattern("size=64x36:rate=10:duration=0.3");
  return makeVideo("mp4", ...small, ...tone(0.3), ...h264, "-c:a", "aac");
}

/** Makes a video with gray frames at `times` (up to 20 s), brighter by 10 each second, and a tone of `seconds`. */
export function slideshow(extension: string, times: readonly number[], seconds: number): string {
  const source = "color=c=gray:size=64x36:rate=25:duration=20,geq=lum='16+N/2.5':cb=128:cr=128";
  const select = `select='${times.map((time) => `eq(n,${Math.round(time * 25)})`).join("+")}'`;
  const inputs = ["-f", "lavfi", "-i", source, ...tone(seconds)];
  const video = ["-vf", select, "-fps_mode", "vfr", ...h264, "-bf", "2"];
  return makeVideo(extension, ...inputs, ...video, "-c:a", "aac");
}

/** Makes a Matroska video of 2 s, 160 × 90, with a title, two chapters and a subtitle track. */
export function videoWithText(): string {
  const subtitles = join(videoFolder(), "lines.srt");
  writeFileSync(subtitles, "1\n00:00:00,200 --> 00:00:00,900\nHello\n\n");
  const metadata = join(videoFolder(), "chapters.txt");
  const chapter = (title: string, start: number, end: number) =>
    `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${end}\ntitle=${title}\n`;
  const chapters = chapter("One", 0, 1000) + chapter("Two", 1000, 2000);
  writeFileSync(metadata, `;FFMETADATA1\ntitle=A video\n${chapters}`);
  const maps = ["-map", "0", "-map", "1", "-map", "2", "-map_metadata", "3"];
  const pattern = testPattern("size=160x90:rate=25:duration=2");
  const inputs = [...pattern, ...tone(), "-i", subtitles, "-i", metadata];
  return makeVideo("mkv", ...inputs, ...maps, ...h264, "-c:a", "aac", "-c:s", "srt");
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  /** The pixels as RGB with 8 bits. */
  readonly data: Buffer;
}

/** Decodes the frame at `seconds`, rotated as in a player. */
export function frameAt(path: string, seconds = 0): Frame {
  const seek = seconds > 0 ? ["-ss", `${seconds}`] : [];
  const form = ["-pix_fmt", "rgb24", "-f", "image2pipe", "-c:v", "ppm", "-"];
  const ppm = ffmpeg(...seek, "-i", path, "-frames:v", "1", ...form);
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
    width,
    height,
    data: data.subarray(index * size, (index + 1) * size),
  }));
}

/** Returns the red, green and blue of a pixel, 0 to 255. */
export function pixelAt({ width, data }: Frame, x: number, y: number): [number, number, number] {
  const at = (y * width + x) * 3;
  return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
}

/** The bounding box and count of the pixels for which `test` returns true; undefined if there are none. */
export function boxOf(frame: Frame, test: (red: number, green: number, blue: number) => boolean) {
  const box = { left: frame.width, top: frame.height, right: -1, bottom: -1, count: 0 };
  const { data } = frame;
  let at = 0;
  for (let y = 0; y < frame.height; y++) {
    for (let x = 0; x < frame.width; x++, at += 3) {
      if (!test(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)) continue;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
      box.count++;
    }
  }
  return box.count > 0 ? box : undefined;
}

export interface ProbedStream {
  readonly index: number;
  readonly codec_type: string;
  readonly codec_name: string;
  readonly tags?: Record<string, string>;
  readonly disposition?: { readonly default: 0 | 1; readonly attached_pic: 0 | 1 };
  readonly sample_rate?: string;
  readonly channels?: number;
  readonly channel_layout?: string;
  readonly sample_fmt?: string;
  readonly bit_rate?: string;
  readonly [field: string]: unknown;
}

interface ProbedPacket {
  readonly stream_index: number;
  /** The presentation time in seconds. */
  readonly pts_time?: string;
  readonly duration_time?: string;
  /** The flags of the packet: `K` for a key frame. */
  readonly flags: string;
  readonly data_hash: string;
}

interface Probed {
  readonly format: {
    readonly duration?: string;
    readonly start_time?: string;
    readonly format_name: string;
    readonly bit_rate?: string;
    readonly tags?: Record<string, string>;
  };
  readonly streams: readonly ProbedStream[];
  readonly packets: readonly ProbedPacket[];
  readonly chapters: readonly {
    readonly start_time?: string;
    readonly end_time?: string;
    readonly tags?: Record<string, string>;
  }[];
}

type StreamType = "video" | "audio" | "subtitle" | "attachment";

/** Runs ffprobe, once for a file, and returns its JSON. Packets are in the order of the file. */
export function ffprobe(path: string): Probed {
  const packets = ["-show_entries", "packet=stream_index,pts_time,duration_time,flags,data_hash"];
  const show = ["-show_format", "-show_streams", "-show_chapters", "-show_data_hash", "md5"];
  const text = readMedia("ffprobe", ["-of", "json=compact=1", ...show, ...packets, path]);
  // ffprobe's format, for files that the test created.
  return JSON.parse(text.toString()) as Probed;
}

/** The streams of one type. */
export function streamsOf(path: string, type: StreamType) {
  return ffprobe(path).streams.filter((stream) => stream.codec_type === type);
}

/** The packets of each stream of a type. */
export function packetsOf(path: string, type: StreamType): ProbedPacket[][] {
  const { streams, packets } = ffprobe(path);
  return streams
    .filter((stream) => stream.codec_type === type)
    .map(({ index }) => packets.filter((packet) => packet.stream_index === index));
}

/** A hash of each packet of the first video stream, in the order of decoding. */
export function videoPackets(path: string): string[] {
  return packetsOf(path, "video")[0]?.map((packet) => packet.data_hash) ?? [];
}

/** The presentation times of the frames of a video, in seconds, ascending. */
export function frameTimes(path: string): number[] {
  const times = packetsOf(path, "video")[0]?.map(({ pts_time }) => Number(pts_time)) ?? [];
  return times.sort((a, b) => a - b);
}

/** Returns a hash of each packet, for each audio stream. */
export function audioHashes(path: string): string[][] {
  return packetsOf(path, "audio").map((packets) => packets.map((packet) => packet.data_hash));
}

/**
 * The structural similarity of two videos after filters; 1 if they are equal. By default the filters of
 * the first are also those of the second.
 */
export function ssim(
  first: string,
  second: string,
  firstFilters = "null",
  secondFilters = firstFilters,
): number {
  const graph = `[0:v]${firstFilters}[a];[1:v]${secondFilters}[b];[a][b]ssim=stats_file=-`;
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
