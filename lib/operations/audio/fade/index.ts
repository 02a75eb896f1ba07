import { z } from "zod";
import { countSamples } from "#lib/engines/ffmpeg/audio/count-samples.ts";
import { fillGaps } from "#lib/engines/ffmpeg/audio/gaps.ts";
import { isDecodableAudio, requireAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { audioInputs, time } from "#lib/operations/fields/index.ts";
import { filterTracks } from "../../shared/audio/filter-tracks.ts";

export const fade = defineOperation({
  id: "audio/fade",
  title: "Fade audio",
  summary: "Fade audio in and out. The video of a video file is not changed.",
  accepts: audioInputs,
  params: z
    .strictObject({
      in: time("Length of the fade at the start, in seconds; 0 for none.").default(1),
      out: time("Length of the fade at the end, in seconds; 0 for none.").default(1),
    })
    .refine((params) => params.in > 0 || params.out > 0, {
      path: ["in"],
      error: "and `out` must not both be 0",
    }),
  example: { in: 0.5, out: 0.5 },
  sample: { input: "audio.flac", params: { in: 2, out: 3 } },
  produces: (type) => type,
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    requireAudio(info);
    const tracks = info.streams.filter(isDecodableAudio);
    // The filters fade by time.
    const counted = input.type.kind === "video" ? fillGaps : [];
    const ends = new Map<number, number>();
    for (const { index, sampleRate } of params.out > 0 ? tracks : []) {
      const count = { file: input, work, signal, stream: index, filters: counted };
      const samples = await countSamples(count);
      ends.set(index, samples / sampleRate);
    }
    const output = await filterTracks({
      input,
      info,
      work,
      signal,
      progress,
      filters: ({ index, startTime = 0, sampleRate }) => {
        const start = Math.max(0, startTime - (info.startTime ?? 0));
        const length = ends.get(index) ?? 0;
        const fadeIn = Math.round(params.in * sampleRate);
        const fadeOut = Math.round(Math.min(params.out, length) * sampleRate);
        const outStart = start + length - fadeOut / sampleRate;
        return [
          ...(fadeIn > 0 ? [`afade=t=in:st=${start.toFixed(6)}:ns=${fadeIn}`] : []),
          ...(fadeOut > 0 ? [`afade=t=out:st=${outStart.toFixed(6)}:ns=${fadeOut}`] : []),
        ];
      },
    });
    return { outputs: [output] };
  },
});
