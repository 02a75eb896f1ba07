import { z } from "zod";
import { countSamples } from "#lib/engines/ffmpeg/audio/count-samples.ts";
import { requireAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { audioInputs, side } from "#lib/operations/fields/index.ts";
import { secondsResult } from "#lib/operations/result-fields.ts";
import { drawSpectrogram } from "./draw-spectrogram.ts";

export const spectrogram = defineOperation({
  id: "audio/spectrogram",
  title: "Spectrogram",
  summary: "Draw the spectrogram of audio: time from left to right, frequency from bottom to top.",
  accepts: audioInputs,
  params: z.strictObject({
    width: side("Width of the image.", 8192).min(16).default(1920),
    height: side(
      "Height of the image. It shows the frequencies from 0 to half of the sample rate.",
      4096,
    )
      .min(16)
      .default(512),
  }),
  example: { width: 800, height: 256 },
  sample: { input: "podcast.mp3", params: { width: 1200, height: 320 } },
  produces: () => "png",
  result: z.strictObject({
    duration: secondsResult("The duration of the audio"),
    max_frequency: z.number().describe("The frequency at the top of the image, in Hz."),
  }),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const stream = requireAudio(info);
    const samples = await countSamples({
      file: input,
      work,
      signal,
      stream: stream.index,
      duration: info.duration,
      progress: (percent) => progress(percent / 3),
    });
    if (samples === 0) throw new JobError("corrupt", "The audio in this file cannot be decoded.");
    const output = work.output("png");
    await drawSpectrogram({
      file: input,
      stream,
      samples,
      output,
      work,
      signal,
      ...params,
      progress: (percent) => progress(33 + (percent * 2) / 3),
    });
    const result = {
      duration: Math.round((samples / stream.sampleRate) * 1000) / 1000,
      max_frequency: stream.sampleRate / 2,
    };
    return { outputs: [{ ...output, ...params }], result };
  },
});
