import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "../../define.ts";
import {
  languageCode,
  optionalColor,
  optionalPosition,
  subtitleFiles,
  videos,
} from "../../fields/index.ts";
import { addSubtitleTrack, chooseTrackContainer } from "./add-track.ts";
import { burnSubtitles } from "./burn.ts";

export const subtitles = defineOperation({
  id: "video/subtitles",
  title: "Add subtitles",
  summary:
    "Add subtitles to a video: drawn on its frames, or as a track that players can switch on.",
  accepts: videos,
  params: z.strictObject({
    burn: z
      .boolean()
      .default(true)
      .describe(
        "Whether the subtitles are drawn, in any script, into an MP4. Otherwise they become a track, and " +
          "nothing is encoded again: in MP4, MOV, 3GP, MKV and WebM; other files become MKV.",
      ),
    language: languageCode.optional(),
    font_size: z.number().int().min(6).max(500).optional().meta({
      description:
        "Size of drawn text in pixels of the frame. The default is 5.5 % of the shorter side; ASS files have their own.",
      unit: "px",
    }),
    color: optionalColor("Of drawn text. The default is white; ASS files have their own."),
    position: optionalPosition(
      "Position of drawn text that has none of its own. The default is bottom; ASS files have their own.",
    ),
  }),
  files: {
    subtitles: {
      accepts: subtitleFiles,
      required: true,
      description: "SRT, WebVTT or ASS, in UTF-8 or an encoding that is detected.",
    },
  },
  example: { burn: true },
  sample: { input: "video.mp4", files: { subtitles: "subtitles.srt" }, params: { font_size: 26 } },
  produces: (type, { burn }) => (burn ? "mp4" : chooseTrackContainer(type)),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe", "image"],
  async run({ input, files, params, work, signal, progress }) {
    const { subtitles: file } = files;
    if (!file) throw new JobError("internal", "The subtitles are missing.");
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const source = { input, info, video, work, signal, progress };
    const output = params.burn
      ? await burnSubtitles(source, file, params)
      : await addSubtitleTrack(source, file, params.language);
    return { outputs: [output] };
  },
});
