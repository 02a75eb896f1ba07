import { hasAlpha } from "#lib/engines/ffmpeg/alpha.ts";
import { encodeAs, mapStream } from "#lib/engines/ffmpeg/arguments.ts";
import { concatChapters, writeChapters } from "#lib/engines/ffmpeg/audio/chapters.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { mapStreams } from "#lib/engines/ffmpeg/map-streams.ts";
import { type CopiedSegment, copySegment } from "#lib/engines/ffmpeg/video/copy-segment.ts";
import type { VideoFile, VideoOutput } from "#lib/engines/ffmpeg/video/filter-video.ts";
import { writePlaylist } from "#lib/engines/ffmpeg/video/playlist.ts";
import { videoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import { rotatedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { JobError } from "#lib/errors.ts";

/**
 * Whether all files have the same streams, with the same decoder parameters, that MP4 can hold. It
 * cannot hold the alpha channel of VP9.
 */
export function haveSameStreams(files: readonly VideoFile[]): boolean {
  const { video, audio } = videoContainer("mp4");
  const isHeld = files.every(
    ({ info, video: stream }) =>
      video.includes(stream.codec ?? "") &&
      !hasAlpha(stream) &&
      info.streams.every((one) => one.type !== "audio" || audio.includes(one.codec ?? "")),
  );
  return isHeld && new Set(files.map(describeStreams)).size === 1;
}

/** What must be the same in files whose packets are joined. */
function describeStreams({ info, video }: VideoFile): string {
  const tracks = info.streams.filter(({ type, codec }) => type === "audio" && codec !== undefined);
  return JSON.stringify([
    video.codec,
    video.profile,
    video.pixelFormat,
    video.width,
    video.height,
    video.rotation,
    video.sampleAspectRatio,
    video.timeBase,
    video.fieldOrder,
    video.colorSpace,
    video.colorTransfer,
    video.colorPrimaries,
    video.colorRange,
    video.extradataHash,
    tracks.map(({ codec, sampleRate, channels, channelLayout, extradataHash }) => [
      codec,
      sampleRate,
      channels,
      channelLayout,
      extradataHash,
    ]),
  ]);
}

/** Joins the packets and chapters of files with the same streams. Throws what `runFfmpeg` throws. */
export async function copyStreams(files: readonly VideoFile[]): Promise<VideoOutput> {
  const segments: CopiedSegment[] = [];
  for (const file of files) segments.push(await copySegment(file, "mp4"));
  const [file] = files;
  const [segment] = segments;
  if (!file || !segment) throw new Error("there are no files");
  const { work, signal, progress } = file;
  const output = work.output("mp4");
  const duration = segments.reduce((sum, { seconds }) => sum + seconds, 0);
  const { info, video } = segment;
  const parts = segments.map(({ seconds }, index) => ({
    chapters: files[index]?.info.chapters ?? [],
    seconds,
  }));
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
          ...mapStream(video.index),
          ...encodeAs("v", 0, "copy"),
          ...mapStreams(info, video, "mp4", { dropTimedText: true }),
          ...chapters.args,
        ],
      },
    ],
  });
  if (frames === 0) throw new JobError("corrupt", "The video in these files cannot be read.");
  const { width, height } = rotatedFrame(file.video);
  return { ...output, width, height, duration };
}
