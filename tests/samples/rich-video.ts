import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  ffprobe,
  frameTimes,
  makeVideo,
  streamsOf,
  testPattern,
  tone,
  videoFolder,
} from "./videos.ts";

/** A video with everything that an operation must keep, and what is left of it in an output. */

/**
 * Makes an MP4 of 1 s, 36 × 64 upright: HEVC of 10 bits in HDR, HLG or PQ, coded as 64 × 36 and turned by a tag, with
 * irregular times, two audio tracks, a subtitle track, two chapters and a title.
 */
export function richVideo(transfer: "arib-std-b67" | "smpte2084" = "arib-std-b67"): string {
  const lines = join(videoFolder(), "rich.srt");
  const chapters = join(videoFolder(), "rich.txt");
  writeFileSync(lines, "1\n00:00:00,200 --> 00:00:00,700\nHello\n\n");
  const chapter = (title: string, start: number, end: number) =>
    `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start}\nEND=${end}\ntitle=${title}\n`;
  writeFileSync(
    chapters,
    `;FFMETADATA1\ntitle=A video\n${chapter("One", 0, 500)}${chapter("Two", 500, 1000)}`,
  );
  const flat = makeVideo(
    "mp4",
    ...testPattern("size=64x36:rate=25:duration=1"),
    ...tone(1),
    ...tone(1, 880),
    "-i",
    lines,
    "-i",
    chapters,
    "-map_metadata",
    "4",
    "-map",
    "0",
    "-map",
    "1",
    "-map",
    "2",
    "-map",
    "3",
    "-vf",
    "select='lt(n,5)+gt(n,10)'",
    "-fps_mode",
    "vfr",
    "-pix_fmt",
    "yuv420p10le",
    "-c:v",
    "libx265",
    "-preset",
    "ultrafast",
    "-x265-params",
    "log-level=error",
    "-color_primaries",
    "bt2020",
    "-color_trc",
    transfer,
    "-colorspace",
    "bt2020nc",
    "-tag:v",
    "hvc1",
    "-c:a",
    "aac",
    "-c:s",
    "mov_text",
    "-metadata:s:a:0",
    "language=deu",
    "-metadata:s:a:1",
    "language=fra",
  );
  return makeVideo("mp4", "-i", flat, "-map", "0", "-c", "copy", "-metadata:s:v", "rotate=90");
}

/** The parts of a video that operations keep, by ffprobe. */
export function partsOf(path: string) {
  const [video] = streamsOf(path, "video");
  const { chapters, format } = ffprobe(path);
  return {
    codec: video?.codec_name,
    pixels: video?.pix_fmt,
    color: [video?.color_primaries, video?.color_transfer, video?.color_space],
    /** The size of the video as coded. */
    size: [video?.width, video?.height],
    rotation: video?.side_data_list,
    /** The times of the frames in milliseconds. */
    times: frameTimes(path).map((time) => Math.round(time * 1000)),
    audio: streamsOf(path, "audio").map(({ tags }) => tags?.language),
    subtitles: streamsOf(path, "subtitle").map(({ codec_name }) => codec_name),
    chapters: chapters.map(({ tags }) => tags?.title),
    title: format.tags?.title,
  };
}
