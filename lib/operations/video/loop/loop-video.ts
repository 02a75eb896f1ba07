import { encodeAs, mapStream } from "#lib/engines/ffmpeg/arguments.ts";
import { concatChapters, writeChapters } from "#lib/engines/ffmpeg/audio/chapters.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { mapStreams } from "#lib/engines/ffmpeg/map-streams.ts";
import { copySegment } from "#lib/engines/ffmpeg/video/copy-segment.ts";
import {
  outputOf,
  type VideoFile,
  type VideoOutput,
} from "#lib/engines/ffmpeg/video/filter-video.ts";
import { writePlaylist } from "#lib/engines/ffmpeg/video/playlist.ts";
import { toVideoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import { rotatedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { JobError } from "#lib/errors.ts";

/**
 * Writes the packets of a video `count` times, with its chapters. Subtitles and cover art are dropped.
 * Throws what `runFfmpeg` throws.
 */
export async function loopVideo(file: VideoFile, count: number): Promise<VideoOutput> {
  const { input, video, work, signal, progress } = file;
  const container = toVideoContainer(input.type.id);
  const segment = await copySegment(file, container);
  const segments = Array.from({ length: count }, () => segment);
  const output = outputOf(file, container);
  const duration = segment.seconds * count;
  const parts = segments.map(({ seconds }) => ({ chapters: file.info.chapters, seconds }));
  const chapters = await writeChapters(concatChapters(parts), 1, work);
  const { frames } = await runFfmpeg({
    work,
    signal,
    progress,
    duration,
    inputs: [await writePlaylist(segments, work), ...(chapters.input ? [chapters.input] : [])],
    outputs: [
      {
        file: output,
        args: [
          ...mapStream(segment.video.index),
          ...encodeAs("v", 0, "copy"),
          ...mapStreams(segment.info, segment.video, container, { dropTimedText: true }),
          ...chapters.args,
        ],
      },
    ],
  });
  if (frames === 0) throw new JobError("corrupt", "The video in this file cannot be read.");
  const { width, height } = rotatedFrame(video);
  return { ...output, width, height, duration };
}
