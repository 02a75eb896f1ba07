import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { readFrame } from "#lib/engines/ffmpeg/frames/read-frame.ts";
import { stillExtension } from "#lib/engines/ffmpeg/frames/still-image.ts";
import { requireTimeInside } from "#lib/engines/ffmpeg/media-time.ts";
import { defineOperation } from "../../define.ts";
import { side, stillFormat, time, videos } from "../../fields/index.ts";
import { secondsResult } from "../../result-fields.ts";
import { selectFrame } from "../../shared/video/select-frame.ts";

export const thumbnail = defineOperation({
  id: "video/thumbnail",
  title: "Video thumbnail",
  summary: "Save a frame of a video as an image.",
  accepts: videos,
  params: z.strictObject({
    time: time(
      "Time of the frame, from the start of the video. By default a frame is chosen that is neither " +
        "black nor blurred. The same video always gives the same frame.",
    ).optional(),
    width: side(
      "Width of the image. Its height follows from the aspect ratio. The default is the width of the video.",
      8192,
    ).optional(),
    format: stillFormat("jpeg"),
  }),
  example: { width: 320 },
  sample: { input: "video.mp4", params: { width: 640 } },
  produces: (_type, { format }) => format,
  partial: true,
  result: z.strictObject({ time: secondsResult("The time of the frame") }),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const source = { file: input, info, video };
    const duration = video.duration ?? info.duration ?? 0;
    if (params.time !== undefined) requireTimeInside("time", params.time, info.duration);
    const time = params.time ?? (await selectFrame(source, duration, work, signal));
    const { format, width } = params;
    const output = work.output(stillExtension(format));
    const image = await readFrame({ ...source, time, format, width, work, signal }, output);
    return { outputs: [image], result: { time: Math.round(time * 1e3) / 1e3 } };
  },
});
