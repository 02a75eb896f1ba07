import { z } from "zod";
import { editedType } from "#lib/engines/ffmpeg/audio/edit-audio.ts";
import { requireAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { JobError } from "#lib/errors.ts";
import { copyToNew } from "#lib/files/regular-files.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { audioInputs, time } from "#lib/operations/fields/index.ts";
import { trimAudio } from "./trim-audio.ts";

export const trim = defineOperation({
  id: "audio/trim",
  title: "Trim audio",
  summary:
    "Keep a range of audio, exact to the sample. For a video, the output is its audio track.",
  accepts: audioInputs,
  params: z
    .strictObject({
      start: time("Start of the range, in seconds."),
      end: time(
        "End of the range, in seconds. By default, and if it is later, the end of the audio.",
      ).optional(),
      duration: time("Length of the range in seconds, instead of its end.").optional(),
      precise: z.boolean().default(true).meta({
        description:
          "Whether the range is exact to the sample. Lossy audio is then encoded again. If false, it is copied without loss from the packet at the start to the packet at the end, which is up to 0.1 seconds more. Lossless audio is always exact and without loss.",
      }),
    })
    .refine(({ end, duration }) => end === undefined || duration === undefined, {
      path: ["duration"],
      error: "must not be set together with `end`",
    })
    .refine(({ start, end, duration }) => (end ?? start + (duration ?? 1)) > start, {
      path: ["end"],
      error: "must be after `start`",
    }),
  example: { start: 0, end: 2.5 },
  sample: { input: "audio.flac", params: { start: 2, end: 5 } },
  produces: (type) => editedType(type),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    requireAudio(info);
    const total = info.duration ?? 0;
    const { start, duration = Number.POSITIVE_INFINITY } = params;
    const end = params.end ?? start + duration;
    if (start === 0 && end === Number.POSITIVE_INFINITY && input.type.kind === "audio") {
      const output = work.output(input.extension);
      await copyToNew(input.path, output.path);
      return { outputs: [{ ...output, duration: total }] };
    }
    const { output, isEmpty } = await trimAudio({
      input,
      info,
      work,
      signal,
      progress,
      start,
      end,
      precise: params.precise,
    });
    if (!isEmpty) return { outputs: [output] };
    throw new JobError("empty", "`start` must be before the end of the audio.");
  },
});
