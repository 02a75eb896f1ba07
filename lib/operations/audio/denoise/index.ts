import { z } from "zod";
import { requireAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { audioInputs } from "#lib/operations/fields/index.ts";
import { denoiseByFft } from "./fft.ts";
import { denoiseByRnnoise } from "./voice.ts";

const methods = { afftdn: denoiseByFft, voice: denoiseByRnnoise } as const;

export const denoise = defineOperation({
  id: "audio/denoise",
  title: "Remove noise",
  summary: "Remove noise from audio. The video of a video file is not changed.",
  accepts: audioInputs,
  params: z.strictObject({
    model: z.enum(["afftdn", "voice"]).default("afftdn").meta({
      description:
        "afftdn for constant noise such as hiss and hum, in any audio. voice for speech: the neural network RNNoise removes everything else, music included; at most 6 hours of stereo.",
    }),
    strength: z.number().min(1).max(60).default(20).meta({
      description: "By how much noise is lowered at most.",
      control: "slider",
      unit: "dB",
    }),
  }),
  example: { strength: 12 },
  sample: { input: "noisy-speech.mp3", params: { model: "voice" } },
  produces: (type) => type,
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe", "image"],
  async run({ input, params: { model, strength }, work, signal, progress }) {
    const info = await probe(input, work, signal);
    requireAudio(info);
    const output = await methods[model]({ input, info, work, signal, progress }, strength);
    return { outputs: [output] };
  },
});
