import { z } from "zod";
import { setStreamTag } from "#lib/engines/ffmpeg/arguments.ts";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { copyVideo } from "#lib/engines/ffmpeg/video/copy-video.ts";
import { filterVideo } from "#lib/engines/ffmpeg/video/filter-video.ts";
import { toVideoContainer } from "#lib/engines/ffmpeg/video-formats.ts";
import { rotatedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { videos } from "#lib/operations/fields/index.ts";

/** Filters that rotate frames clockwise. */
const rotations = { 90: ["transpose=clock"], 180: ["hflip", "vflip"], 270: ["transpose=cclock"] };

/** Containers that store by how much a player rotates the video. */
const taggedContainers = ["mp4", "mov", "3gp"];

export const rotate = defineOperation({
  id: "video/rotate",
  title: "Rotate video",
  summary: "Rotate a video, without re-encoding where its format can store the rotation.",
  accepts: videos,
  params: z.strictObject({
    angle: z.literal([90, 180, 270]).meta({
      description: "Clockwise angle. MP4 and MOV store it as a tag; other formats are re-encoded.",
      unit: "°",
    }),
  }),
  example: { angle: 90 },
  sample: { input: "video.mp4" },
  produces: (type) => toVideoContainer(type),
  live: "frame",
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params: { angle }, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const file = { input, info, video, work, signal, progress };
    const turned = angle !== 180;
    if (taggedContainers.includes(toVideoContainer(input.type.id))) {
      const total = (video.rotation + angle) % 360;
      // ffmpeg counts the degrees of this tag counterclockwise.
      const outputArguments = setStreamTag("v:0", "rotate", `${(360 - total) % 360}`);
      const output = await copyVideo({ ...file, outputArguments });
      const { width, height } = output;
      return { outputs: [turned ? { ...output, width: height, height: width } : output] };
    }
    const { width, height } = rotatedFrame(video);
    const frame = turned ? { width: height, height: width } : { width, height };
    return { outputs: [await filterVideo({ ...file, filters: rotations[angle], frame })] };
  },
});
