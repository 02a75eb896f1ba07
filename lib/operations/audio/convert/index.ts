import { z } from "zod";
import { coverOf, requireSound, sampleDepth, tagOptions } from "#lib/engines/ffmpeg/audio.ts";
import {
  audioFormats,
  audioFormatTraits,
  bitRateOptions,
  fitSampleRate,
} from "#lib/engines/ffmpeg/audio-formats.ts";
import { mediaPath, runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { sounds } from "#lib/operations/fields/index.ts";

export const convert = defineOperation({
  id: "audio/convert",
  summary: "Convert a sound file, or a video's sound, to another audio format.",
  accepts: sounds,
  params: z
    .strictObject({
      format: z
        .enum(audioFormats)
        .describe("The format to make; aac is a bare ADTS stream, ogg holds Vorbis."),
      bitrate: z
        .string()
        .regex(/^[1-9][0-9]{0,5}k?$/i, "must be bits per second such as 192k")
        .refine(isBitRate, "must be from 8k to 512k")
        .optional()
        .describe(
          "Bits per second such as 192k, from 8k to 512k. The nearest that the format can have is " +
            "used, while the job's params keep what was asked for: mp3 has 32k to 320k, below 32000 Hz " +
            "8k to 160k, below 16000 Hz 8k to 64k; opus has at most 256k a channel; aac, m4a and ogg " +
            "have less the lower their sample rate. Without effect on flac and wav, which are lossless.",
        ),
      sample_rate: z
        .number()
        .int()
        .min(8000)
        .max(192_000)
        .optional()
        .describe(
          "Samples per second and channel; the input's own if absent. Where the format cannot have " +
            "it, the next higher one that it can, or its highest: mp3 has at most 48000, aac and m4a " +
            "at most 96000. Opus is always played at 48000, so that 44100 becomes 48000.",
        ),
      channels: z
        .number()
        .int()
        .min(1)
        .max(8)
        .optional()
        .describe("Number of channels; the input's own if absent. mp3 has at most 2."),
    })
    .refine(({ format, channels = 1 }) => format !== "mp3" || channels <= 2, {
      path: ["channels"],
      error: "must be 1 or 2 for mp3",
    }),
  example: { format: "mp3", bitrate: "192k" },
  produces: (_type, { format }) => format,
  engine: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params: { format, ...params }, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const sound = requireSound(info);
    const traits = audioFormatTraits(format);
    const channels = Math.min(params.channels ?? sound.channels, traits.layouts.length);
    const sampleRate = fitSampleRate(format, params.sample_rate ?? defaultRate(format, sound));
    const cover = traits.cover ? coverOf(info) : undefined;
    const layouts = params.channels ? [traits.layouts[channels - 1]] : traits.layouts;
    const output = work.output(format);
    await runFfmpeg({
      work,
      signal,
      progress,
      duration: info.duration,
      build: (command) =>
        command
          .input(mediaPath(input))
          .outputOptions(["-map", `0:${sound.index}`, "-sn", "-dn"])
          .outputOptions(cover ? ["-map", `0:${cover.index}`, "-c:v", "copy"] : ["-vn"])
          .outputOptions(cover ? ["-disposition:v:0", "attached_pic"] : [])
          .outputOptions(["-af", `aformat=channel_layouts=${layouts.join("|")}`])
          .outputOptions([...traits.encode(sampleDepth(sound)), "-ar", `${sampleRate}`])
          .outputOptions(bitRateOptions(format, parseBitRate(params.bitrate), sampleRate, channels))
          .outputOptions(tagOptions(info, sound))
          .outputOptions([...traits.container])
          .output(mediaPath(output)),
    });
    const { duration } = await probe(output, work, signal);
    return { outputs: [{ ...output, ...(duration === undefined ? {} : { duration }) }] };
  },
});

/**
 * A bare AAC stream cannot say that its first 1024 samples are the encoder's delay; at 44.1 kHz and
 * above that stays under 50 ms, so slower sound is resampled unless the caller says otherwise.
 */
function defaultRate(format: string, sound: { sampleRate: number }): number {
  return format === "aac" ? Math.max(sound.sampleRate, 44_100) : sound.sampleRate;
}

function parseBitRate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return Number.parseInt(text, 10) * (/k$/i.test(text) ? 1000 : 1);
}

function isBitRate(text: string): boolean {
  const bitRate = parseBitRate(text) ?? 0;
  return bitRate >= 8000 && bitRate <= 512_000;
}
