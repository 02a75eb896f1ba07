import { z } from "zod";
import { extractTrack, isTextTrack } from "#lib/engines/ffmpeg/extract-subtitles.ts";
import { type MediaStream, probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import type { MediaInfo } from "#lib/engines/ffmpeg/media-info.ts";
import { JobError } from "#lib/errors.ts";
import { copyToNew } from "#lib/files/regular-files.ts";
import { defineOperation } from "../../define.ts";
import { subtitleFormat, videos } from "../../fields/index.ts";
import { countResult } from "../../result-fields.ts";

export const extractSubtitles = defineOperation({
  id: "video/extract-subtitles",
  title: "Extract subtitles",
  summary: "Save a subtitle track of a video as a file.",
  accepts: videos,
  params: z.strictObject({
    track: z
      .number()
      .int()
      .min(1)
      .max(100)
      .optional()
      .meta({
        description:
          "Number of the subtitle track, from 1. The default is the first track of text that the file " +
          "marks as default, or else the first. Tracks of images, as on DVD, cannot be converted.",
      }),
    format: subtitleFormat("srt"),
  }),
  example: { format: "vtt" },
  sample: { input: "subtitled.mkv" },
  produces: (_type, { format }) => format,
  result: z.strictObject({
    cues: countResult("Number of subtitles."),
    language: z.string().nullable().describe("The language of the track, such as `eng`."),
    title: z.string().nullable().describe("The title of the track."),
  }),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe", "image"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const stream = selectTrack(info, params.track);
    const { duration } = info;
    const request = {
      file: input,
      stream,
      format: params.format,
      work,
      signal,
      progress,
      duration,
    };
    const { file, cues } = await extractTrack(request);
    const output = work.output(params.format);
    await copyToNew(file.path, output.path);
    const { language = null, tags } = stream;
    return { outputs: [output], result: { cues, language, title: tags.title ?? null } };
  },
});

/** Throws `JobError("unsupported_type")` if there is no such track, or it has no text. */
function selectTrack({ streams }: MediaInfo, track: number | undefined): MediaStream {
  const tracks = streams.filter(({ type }) => type === "subtitle");
  const texts = tracks.filter(isTextTrack);
  const first = texts.find(({ disposition }) => disposition.default === 1) ?? texts[0];
  const selected = track === undefined ? (first ?? tracks[0]) : tracks[track - 1];
  if (!selected) {
    const found = tracks.length > 0 ? `only ${tracks.length} subtitle track(s)` : "no subtitles";
    throw new JobError("unsupported_type", `The file has ${found}.`);
  }
  if (!isTextTrack(selected)) {
    const message = "The subtitles of this track are images or have an unknown format.";
    throw new JobError("unsupported_type", message);
  }
  return selected;
}
