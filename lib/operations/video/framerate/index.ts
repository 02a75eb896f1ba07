import { z } from "zod";
import { alphaDecoder } from "#lib/engines/ffmpeg/alpha.ts";
import {
  applyFilters,
  ignoreRotation,
  keepFilterGraph,
  mapStream,
} from "#lib/engines/ffmpeg/arguments.ts";
import { runFfmpeg, writtenDuration } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { mapStreams } from "#lib/engines/ffmpeg/map-streams.ts";
import { deinterlaceFilters } from "#lib/engines/ffmpeg/video/choose-encoding.ts";
import { constantRate } from "#lib/engines/ffmpeg/video/constant-rate.ts";
import { keepHdrMetadata } from "#lib/engines/ffmpeg/video/hdr-metadata.ts";
import {
  chooseVideoCodec,
  toVideoContainer,
  videoCodecArguments,
} from "#lib/engines/ffmpeg/video-formats.ts";
import { rotatedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { videos } from "#lib/operations/fields/index.ts";

export const framerate = defineOperation({
  id: "video/framerate",
  title: "Change frame rate",
  summary: "Change the frame rate of a video. Its speed and audio stay the same.",
  accepts: videos,
  params: z.strictObject({
    fps: z.number().int().min(1).max(240).meta({
      description: "Frames per second, from 1 to 240. Frames are dropped or repeated.",
      control: "slider",
      unit: "fps",
    }),
  }),
  example: { fps: 24 },
  sample: { input: "video.mp4", params: { fps: 12 } },
  produces: (type) => toVideoContainer(type),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params: { fps }, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const container = toVideoContainer(input.type.id);
    const codec = chooseVideoCodec(container, video.codec, fps);
    const output = work.output(container === input.type.id ? input.type.extension : container);
    const file = { input, video, work, signal };
    const args = [
      ...mapStream(video.index),
      ...(await keepHdrMetadata(videoCodecArguments(codec, container, video), codec, file)),
      ...applyFilters("v", 0, [
        `scale=${video.width}:${video.height}`,
        ...deinterlaceFilters(video),
        constantRate(fps, info.duration),
      ]),
      ...mapStreams(info, video, container, { work }),
    ];
    const { frames, seconds } = await runFfmpeg({
      work,
      signal,
      progress,
      duration: info.duration,
      frame: video,
      // The rotation stays a tag. Frames of another size are scaled to the size of the first.
      inputs: [
        { file: input, args: [...ignoreRotation, ...keepFilterGraph, ...alphaDecoder(video)] },
      ],
      outputs: [{ file: output, args }],
    });
    if (frames === 0) throw new JobError("corrupt", "The video in this file cannot be decoded.");
    const duration = writtenDuration(info.duration, seconds);
    const { width, height } = rotatedFrame(video);
    return { outputs: [{ ...output, width, height, duration }] };
  },
});
