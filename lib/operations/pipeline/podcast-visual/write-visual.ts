import { mapGraphOutput, mapStream, readAs, setFileTag } from "#lib/engines/ffmpeg/arguments.ts";
import { type AudioStream, tagArguments } from "#lib/engines/ffmpeg/audio-streams.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { audioCodecArguments } from "#lib/engines/ffmpeg/map-streams.ts";
import type { MediaInfo } from "#lib/engines/ffmpeg/media-info.ts";
import { videoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import type { OutputFile } from "#lib/engines/worker/operation.ts";
import { JobError } from "#lib/errors.ts";
import { drawWaveGraph, frameRate } from "./draw-wave.ts";
import type { WaveStyle } from "./scene.ts";
import { oversampling } from "./wave-map.ts";
import { drawScene } from "./worker-functions.ts";

export interface VisualSource {
  readonly input: WorkFile;
  readonly info: MediaInfo;
  readonly audio: AudioStream;
  readonly picture: WorkFile | undefined;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly progress: (percent: number) => void;
}

export interface VisualStyle {
  readonly style: WaveStyle;
  readonly width: number;
  readonly height: number;
  readonly background_color?: string | undefined;
  readonly wave_color?: string | undefined;
}

/** Characters of a title; longer ones are cut. */
const maxTitle = 140;

/** Writes the video. Throws what `runFfmpeg` and a worker throw. */
export async function writeVisual(source: VisualSource, look: VisualStyle): Promise<OutputFile> {
  const { input, info, audio, picture, work, signal, progress } = source;
  const { style, width, height, background_color: background } = look;
  const duration = audio.duration ?? info.duration ?? 0;
  if (!(duration > 0)) throw new JobError("corrupt", "The audio in this file cannot be decoded.");
  const { outputs, result } = await callInWorker(drawScene, {
    files: picture ? [picture] : [],
    options: { style, width, height, background, ...readTitles(info, audio) },
    work,
    signal,
  });
  const { isDark, ...wave } = result;
  const map = { width: wave.width * oversampling, height: wave.height * oversampling };
  const isPlain = !picture && background === undefined;
  const color = look.wave_color ?? (isPlain ? "#8ec5ff" : isDark ? "#ffffff" : "#1f2937");
  const output = work.output("mp4");
  await runFfmpeg({
    work,
    signal,
    progress,
    duration,
    frame: map,
    inputs: [{ file: input }, ...outputs.map((file) => ({ file, args: readAs("png_pipe") }))],
    filterGraphs: drawWaveGraph({ style, wave, map, color, duration, audio: audio.index }),
    outputs: [
      {
        file: output,
        args: [
          ...mapGraphOutput("video"),
          "-c:v:0",
          "libx264",
          "-preset",
          "veryfast",
          "-crf",
          "20",
          "-g",
          `${frameRate * 4}`,
          "-colorspace",
          "bt709",
          "-color_primaries",
          "bt709",
          "-color_trc",
          "bt709",
          ...audioArguments(audio),
          ...tagArguments(info, audio),
          // The scene shows it.
          ...setFileTag("comment", ""),
          "-map_chapters",
          "0",
          "-max_muxing_queue_size",
          "4096",
          ...videoContainer("mp4").muxer,
        ],
      },
    ],
  });
  return { ...output, width, height, duration };
}

/** Copies the audio if MP4 can hold it. */
function audioArguments(audio: AudioStream): string[] {
  const { audio: copied } = videoContainer("mp4");
  const isCopied = copied !== "any" && copied.includes(audio.codec ?? "");
  const codec = isCopied ? ["-c:a:0", "copy"] : audioCodecArguments(audio, 0, "mp4");
  return [...mapStream(audio.index), ...codec];
}

/** The title and the author from the tags, on one line each. */
function readTitles(info: MediaInfo, { tags }: AudioStream) {
  const read = (...names: string[]) => {
    const found = names.map((name) => info.tags[name] ?? tags[name]).find((text) => text?.trim());
    const line = found
      ?.replaceAll(/[\p{C}\s]+/gu, " ")
      .trim()
      .toWellFormed();
    return line && line.length > maxTitle ? `${line.slice(0, maxTitle).trimEnd()}…` : line;
  };
  return { title: read("title"), subtitle: read("artist", "album_artist", "album") };
}
