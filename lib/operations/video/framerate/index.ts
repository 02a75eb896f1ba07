import { z } from "zod";
import { mediaPath, runFfmpeg, writtenDuration } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { keepStreams } from "#lib/engines/ffmpeg/map-streams.ts";
import {
  chooseVideoCodec,
  toVideoContainer,
  videoEncoder,
} from "#lib/engines/ffmpeg/video-formats.ts";
import { filmFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { videos } from "#lib/operations/fields/index.ts";

export const framerate = defineOperation({
  id: "video/framerate",
  summary: "Change a video's frame rate by dropping or repeating frames; speed and sound stay.",
  accepts: videos,
  params: z.strictObject({
    fps: z.number().int().min(1).max(240).describe("Frames per second, constant, 1 to 240."),
  }),
  example: { fps: 24 },
  produces: (type) => toVideoContainer(type),
  engine: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params: { fps }, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const container = toVideoContainer(input.type.id);
    const codec = chooseVideoCodec(container, video.codec, fps);
    const output = work.output(container === input.type.id ? input.type.extension : container);
    // A film shorter than one frame at that rate would be rounded to none.
    const isBrief = info.duration !== undefined && info.duration * fps < 1;
    const rate = `fps=${fps}${isBrief ? ":eof_action=pass" : ""}`;
    const { frames, seconds } = await runFfmpeg({
      work,
      signal,
      progress,
      duration: info.duration,
      frame: video,
      build: (command) =>
        command
          .input(mediaPath(input))
          // The rotation stays a tag; frames that change size are brought to the first one's.
          .inputOptions(["-noautorotate", "-reinit_filter", "0"])
          .outputOptions(["-map", `0:${video.index}`, ...videoEncoder(codec, container, video)])
          .outputOptions(["-filter:v:0", `scale=${video.width}:${video.height},${rate}`])
          .outputOptions(keepStreams(info, video, container))
          .output(mediaPath(output)),
    });
    if (frames === 0) throw new JobError("corrupt", "The video in this file cannot be decoded.");
    const duration = writtenDuration(info.duration, seconds);
    const { width, height } = filmFrame(video);
    return { outputs: [{ ...output, width, height, duration }] };
  },
});
