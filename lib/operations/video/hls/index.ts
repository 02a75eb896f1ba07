import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { displayedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { defineOperation } from "../../define.ts";
import { videos } from "../../fields/index.ts";
import { hlsCodecs } from "./arguments.ts";
import { warnOfDroppedTracks } from "./dropped-tracks.ts";
import { encodeRenditions } from "./encode-renditions.ts";
import { chooseLadder, parseHeights } from "./ladder.ts";
import { packageRenditions } from "./package-renditions.ts";

export const hls = defineOperation({
  id: "video/hls",
  title: "HLS stream",
  summary:
    "Prepare a video for streaming with HLS: playlists and segments in several sizes, as one ZIP.",
  accepts: videos,
  params: z.strictObject({
    heights: z
      .string()
      .max(60)
      .refine((text) => parseHeights(text) !== undefined, {
        error: "must be 1 to 8 even heights from 64 to 2160, such as 1080,720,480",
      })
      .optional()
      .describe(
        "Heights of the renditions in pixels, such as 1080,720,480. Those above the video's are left out. " +
          "The default is the height of the video, at most 1080, and up to three smaller ones.",
      ),
    segment: z.number().int().min(2).max(20).default(6).meta({
      description: "Length of the segments in seconds. All renditions are cut at the same times.",
      control: "slider",
      unit: "s",
    }),
    codec: z
      .enum(hlsCodecs)
      .default("h264")
      .describe("The video codec. h264 plays everywhere; h265 is smaller, in segments of MP4."),
    encryption_key: z
      .string()
      .regex(/^[0-9a-fA-F]{32}$/, "must be a key of 32 hexadecimal digits")
      .meta({
        description:
          "Key of AES-128, as 32 hexadecimal digits, that encrypts the segments. It is in the ZIP as " +
          "encryption.key, where the playlists refer to it: let only those read it who may watch.",
        control: "secret",
        secret: true,
      })
      .optional(),
  }),
  example: { segment: 4 },
  sample: { input: "video.mp4", params: { heights: "360,240", segment: 2 } },
  produces: () => "zip",
  result: z.strictObject({
    renditions: z
      .array(
        z.strictObject({
          playlist: z.string().describe("Its path in the archive."),
          width: z.number().int(),
          height: z.number().int(),
          bandwidth: z.number().describe("Peak bit rate, in bits per second."),
          codec: z.string().describe("Codec string, such as `avc1.64001e`."),
        }),
      )
      .describe("The renditions, the largest first."),
  }),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const { codec, segment } = params;
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    warnOfDroppedTracks(info, work);
    const frames = chooseLadder(displayedFrame(video), parseHeights(params.heights ?? ""));
    const source = { file: input, info, video, work, signal, progress };
    const presentation = await encodeRenditions(source, { frames, codec, segment });
    const key = params.encryption_key ? Buffer.from(params.encryption_key, "hex") : undefined;
    const output = work.output("zip");
    const renditions = await packageRenditions(presentation, codec, key, output, signal);
    return { outputs: [output], result: { renditions } };
  },
});
