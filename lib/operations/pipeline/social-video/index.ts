import { z } from "zod";
import { limitDuration } from "#lib/engines/ffmpeg/arguments.ts";
import { isDecodableAudio, requireAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { warnOfMainTracksOnly } from "#lib/engines/ffmpeg/dropped-streams.ts";
import { probe, requireVideo, toNumber } from "#lib/engines/ffmpeg/ffprobe.ts";
import { filterVideo } from "#lib/engines/ffmpeg/video/filter-video.ts";
import { targetFormat } from "#lib/engines/ffmpeg/video/target-format.ts";
import { displayedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { videos } from "#lib/operations/fields/index.ts";
import { rateControlArguments } from "../../shared/video/rate-control.ts";
import { fillFrame } from "./fill-frame.ts";
import { planLoudness } from "./normalize-track.ts";
import {
  audioBitRate,
  chooseVideoRate,
  maxFrameRate,
  platform,
  platformNames,
} from "./platforms.ts";

const audioEncoding = { format: "m4a", bitRate: audioBitRate, channels: 2 } as const;

export const socialVideo = defineOperation({
  id: "pipeline/social-video",
  title: "Video for social media",
  summary:
    "Make a video ready for a social network: its ratio, loudness, length and size, as an MP4 that plays everywhere.",
  accepts: videos,
  params: z.strictObject({
    platform: z
      .enum(platformNames)
      .describe(
        "reel and story are 1080 × 1920, square is 1080 × 1080 and landscape 1920 × 1080. A video of another ratio is whole, on a blurred copy of itself; one of almost the same ratio is cut at the edges instead. The audio has −14 LUFS, and the file at most 100 MB.",
      ),
    max_duration: z.number().min(1).max(3600).optional().meta({
      description:
        "Seconds after which the video is cut off. The default is 90 for a reel and 60 for a story; the others are not cut.",
      unit: "s",
    }),
  }),
  example: { platform: "square", max_duration: 30 },
  sample: { input: "video.mp4", params: { platform: "reel" } },
  produces: () => "mp4",
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const { frame, maxDuration = Number.POSITIVE_INFINITY } = platform(params.platform);
    const probed = await probe(input, work, signal);
    const video = requireVideo(probed);
    const whole = probed.duration ?? video.duration ?? 0;
    const duration = Math.min(whole, params.max_duration ?? maxDuration);
    const rate = chooseVideoRate(duration);
    if (rate === undefined) {
      const message = "The video is too long for a file of 100 MB. Set `max_duration`.";
      throw new JobError("too_large", message);
    }
    // Networks play one track.
    const audio = probed.streams.some(isDecodableAudio) ? requireAudio(probed) : undefined;
    const info = { ...probed, streams: [video, ...(audio ? [audio] : [])], chapters: [] };
    warnOfMainTracksOnly(probed, work);
    const file = { input, info, video, work, signal };
    const measuring = { ...file, progress: (percent: number) => progress(percent * 0.1) };
    const filters = audio ? await planLoudness(measuring, audio, duration, audioEncoding) : [];
    const { encoding, filters: toSdr } = targetFormat(video, "h264", "mp4");
    const fps = toNumber(video.averageFrameRate);
    const output = await filterVideo({
      ...file,
      frame,
      encoding,
      duration,
      dropTimedText: true,
      filters: [
        ...toSdr,
        ...fillFrame(displayedFrame(video), frame),
        ...(fps > maxFrameRate ? [`fps=${maxFrameRate}`] : []),
      ],
      audioFilters: () => filters,
      audioEncoding,
      codecArguments: (size) => [
        ...rateControlArguments("h264", "mp4", size, { crf: 20, preset: "veryfast" }),
        "-maxrate:v",
        `${rate}`,
        "-bufsize:v",
        `${rate}`,
        "-profile:v",
        "high",
        "-g",
        "120",
      ],
      outputArguments: limitDuration(duration),
      progress: (percent) => progress(10 + percent * 0.9),
    });
    return { outputs: [output] };
  },
});
