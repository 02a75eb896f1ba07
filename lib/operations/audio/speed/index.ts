import { z } from "zod";
import { countSamples } from "#lib/engines/ffmpeg/audio/count-samples.ts";
import { editAudio, editedType } from "#lib/engines/ffmpeg/audio/edit-audio.ts";
import { isDecodableAudio, requireAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { JobError } from "#lib/errors.ts";
import { limitError } from "#lib/limits/limits.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { audioInputs } from "#lib/operations/fields/index.ts";
import { tempoFilters } from "../../shared/audio/change-tempo.ts";

export const speed = defineOperation({
  id: "audio/speed",
  title: "Change speed",
  summary:
    "Play audio faster or slower with the same pitch. For a video, the output is its audio track.",
  accepts: audioInputs,
  params: z.strictObject({
    factor: z.number().min(0.1).max(10).meta({
      description: "The speed: 2 is twice as fast, 0.5 half as fast.",
      control: "slider",
    }),
  }),
  example: { factor: 1.5 },
  sample: { input: "speech.mp3", params: { factor: 1.5 } },
  produces: (type) => editedType(type),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params: { factor }, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const main = requireAudio(info);
    const lengths = new Map<number, number>();
    for (const { index, sampleRate } of info.streams.filter(isDecodableAudio)) {
      const samples = await countSamples({ file: input, work, signal, stream: index });
      lengths.set(index, samples / sampleRate);
    }
    const duration = (lengths.get(main.index) ?? 0) / factor;
    if (duration > work.limits.duration) throw limitError("duration", work.limits.duration);
    const { output, isEmpty } = await editAudio({
      input,
      info,
      work,
      signal,
      progress,
      filters: ({ index }) => tempoFilters(factor, lengths.get(index) ?? 0),
      duration,
      mapTime: (seconds) => seconds / factor,
    });
    if (!isEmpty) return { outputs: [output] };
    throw new JobError("corrupt", "The audio in this file cannot be decoded.");
  },
});
