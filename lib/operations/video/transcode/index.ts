import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { side, videos } from "#lib/operations/fields/index.ts";
import { presets } from "../../shared/video/rate-control.ts";
import { audioCodecs, findFormatFault, formats, videoCodecs } from "./formats.ts";
import { transcodeVideo } from "./transcode-video.ts";

const bitRate = (what: string, max: number) =>
  z.number().int().min(1000).max(max).optional().describe(`Bits per second of the ${what}.`);

export const transcode = defineOperation({
  id: "video/transcode",
  title: "Transcode video",
  summary: "Convert a video to another container, codec, size, frame rate or bit rate.",
  accepts: videos,
  params: z
    .strictObject({
      format: z.enum(formats).default("mp4").describe("The container."),
      codec: z
        .enum(videoCodecs)
        .optional()
        .describe(
          "The codec of the video. The default is h264, for webm vp9. copy does not encode it; mov holds h264 and h265, webm vp9 and av1.",
        ),
      quality: z
        .number()
        .int()
        .min(0)
        .max(63)
        .optional()
        .describe(
          "Constant rate factor; lower is better. 0 to 51 for h264 (default 23) and h265 (26), 0 to 63 for vp9 and av1 (32).",
        ),
      bitrate: bitRate("video, instead of quality", 400_000_000),
      preset: z
        .enum(presets)
        .optional()
        .describe("Speed of the encoder; slower makes smaller files. The default is fast."),
      audio_codec: z
        .enum(audioCodecs)
        .optional()
        .describe(
          "The codec of the audio; `none` removes it. By default, the audio is copied if the container can hold it, or else encoded as AAC, or as Opus for WebM.",
        ),
      audio_bitrate: bitRate("audio, of each track", 1_000_000),
      width: side(
        "Width of the output. With `height`, the video is scaled to fit inside both.",
        8192,
      ).optional(),
      height: side(
        "Height of the output. With `width`, the video is scaled to fit inside both.",
        8192,
      ).optional(),
      fps: z.number().min(1).max(240).optional().meta({
        description: "Frames per second. By default every frame keeps its time.",
        unit: "fps",
      }),
    })
    .superRefine((params, context) => {
      const fault = findFormatFault(params);
      if (fault) context.addIssue({ code: "custom", path: [fault.field], message: fault.message });
    }),
  example: { format: "mp4", quality: 28 },
  sample: { input: "video.mp4", params: { format: "webm", codec: "vp9", quality: 34 } },
  produces: (_type, { format }) => format,
  live: "frame",
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const file = { input, info, video, work, signal, progress };
    return { outputs: [await transcodeVideo(file, params)] };
  },
});
