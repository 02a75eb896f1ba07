import {
  encodeAs,
  generateTimes,
  mapStream,
  mapStreamOf,
  readAs,
} from "#lib/engines/ffmpeg/arguments.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { countKeptSubtitles, mapStreams, setLanguage } from "#lib/engines/ffmpeg/map-streams.ts";
import { convertSubtitleFile } from "#lib/engines/ffmpeg/subtitles/convert-subtitle-file.ts";
import { outputOf, type VideoFile } from "#lib/engines/ffmpeg/video/filter-video.ts";
import {
  toVideoContainer,
  type VideoContainerId,
  videoContainer,
} from "#lib/engines/ffmpeg/video-formats.ts";
import { type Frame, rotatedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import type { SubtitleFormat } from "#lib/formats/subtitles/cues.ts";
import type { MediaTypeId } from "#lib/media/types.ts";

/** The container of a file of `type` with a track of text: its own if that supports one, or MKV. */
export function chooseTrackContainer(type: MediaTypeId): VideoContainerId {
  const own = toVideoContainer(type);
  return videoContainer(own).textSubtitles ? own : "mkv";
}

const demuxers: Record<SubtitleFormat, string> = { srt: "srt", vtt: "webvtt", ass: "ass" };

/**
 * Copies a video and adds a subtitle track after its others. Throws `JobError`, and what `runFfmpeg`
 * throws.
 */
export async function addSubtitleTrack(
  source: VideoFile,
  file: WorkFile,
  language: string | undefined,
): Promise<WorkFile & Frame & { duration?: number }> {
  const { input, info, video, work, signal, progress } = source;
  const container = chooseTrackContainer(input.type.id);
  const format = chooseFormat(container, file.extension);
  const { file: track } = await convertSubtitleFile(file, format, work, signal);
  const { textSubtitles: encoder = "copy" } = videoContainer(container);
  const number = countKeptSubtitles(info, container);
  const codec = format === "srt" && encoder !== "subrip" ? encoder : "copy";
  const output = outputOf(source, container);
  const { duration } = info;
  await runFfmpeg({
    work,
    signal,
    progress,
    duration,
    inputs: [
      { file: input, args: generateTimes },
      { file: track, args: readAs(demuxers[format]) },
    ],
    outputs: [
      {
        file: output,
        args: [
          ...mapStream(video.index),
          ...encodeAs("v", 0, "copy"),
          ...mapStreams(info, video, container, { work }),
          ...mapStreamOf(1, 0),
          ...encodeAs("s", number, codec),
          ...(language ? setLanguage(`s:${number}`, language, container) : []),
        ],
      },
    ],
  });
  const { width, height } = rotatedFrame(video);
  return { ...output, width, height, ...(duration === undefined ? {} : { duration }) };
}

/** The format that ffmpeg reads: the one that loses least in `container`. */
function chooseFormat(container: VideoContainerId, extension: string): SubtitleFormat {
  if (container === "webm") return "vtt";
  return container === "mkv" && extension === "ass" ? "ass" : "srt";
}
