import { z } from "zod";
import { audioFileArguments, fitEncoding } from "#lib/engines/ffmpeg/audio/audio-file.ts";
import { audioDuration } from "#lib/engines/ffmpeg/audio/written-duration.ts";
import { audioFormats } from "#lib/engines/ffmpeg/audio-formats.ts";
import { requireAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { audioInputs } from "#lib/operations/fields/index.ts";
import { rateWarnings } from "./rate-warnings.ts";

export const convert = defineOperation({
  id: "audio/convert",
  title: "Convert audio",
  summary: "Convert audio, or the audio of a video, to another format.",
  accepts: audioInputs,
  params: z
    .strictObject({
      format: z
        .enum(audioFormats)
        .describe("The output format. aac is a bare ADTS stream; ogg is Ogg Vorbis."),
      bitrate: z
        .string()
        .regex(/^[1-9][0-9]{0,5}k?$/i, "must be a bit rate in bits per second, such as 192k")
        .refine(isBitRate, "must be from 8k to 512k")
        .optional()
        .describe(
          "Bits per second from 8k to 512k, such as 192k. If the format does not support the bit " +
            "rate, the nearest one is used, and a warning names it: mp3 supports 32k to 320k (8k to " +
            "160k below 32000 Hz, 8k to 64k below 16000 Hz), opus at most 256k per channel, and aac, " +
            "m4a and ogg less at low sample rates. Has no effect on flac and wav, which are lossless.",
        ),
      sample_rate: z
        .number()
        .int()
        .min(8000)
        .max(192_000)
        .optional()
        .meta({
          description:
            "Sample rate in Hz. The default is that of the input. If the format does not support the " +
            "rate, the next higher one is used, or the highest, and a warning names it: mp3 supports at " +
            "most 48000, aac and m4a at most 96000. Opus always plays at 48000.",
          unit: "Hz",
        }),
      channels: z.number().int().min(1).max(8).optional().meta({
        description:
          "Number of channels. The default is that of the input. mp3 supports at most 2.",
        control: "slider",
      }),
    })
    .refine(({ format, channels = 1 }) => format !== "mp3" || channels <= 2, {
      path: ["channels"],
      error: "must be 1 or 2 for mp3",
    }),
  example: { format: "mp3", bitrate: "192k" },
  sample: { input: "audio.flac", params: { format: "mp3", bitrate: "128k" } },
  produces: (_type, { format }) => format,
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params: { format, ...params }, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const stream = requireAudio(info);
    const { sample_rate: sampleRate, channels, bitrate } = params;
    const requested = { format, sampleRate, bitRate: parseBitRate(bitrate) };
    const encoding = {
      ...requested,
      channels,
      sampleRate: sampleRate ?? defaultSampleRate(format, stream),
    };
    for (const warning of rateWarnings(requested, fitEncoding(stream, encoding))) {
      work.warn(warning);
    }
    const output = work.output(format);
    const written = await runFfmpeg({
      work,
      signal,
      progress,
      duration: info.duration,
      inputs: [{ file: input }],
      outputs: [{ file: output, args: audioFileArguments(info, stream, encoding) }],
    });
    const duration = await audioDuration(output, written, { planned: info.duration }, work, signal);
    return { outputs: [{ ...output, ...(duration === undefined ? {} : { duration }) }] };
  },
});

/**
 * A bare AAC stream cannot declare that its first 1024 samples are the encoder's delay. From 44.1 kHz
 * the delay is below 50 ms, so audio with a lower rate is resampled by default.
 */
function defaultSampleRate(format: string, { sampleRate }: { sampleRate: number }): number {
  return format === "aac" ? Math.max(sampleRate, 44_100) : sampleRate;
}

function parseBitRate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return Number.parseInt(text, 10) * (/k$/i.test(text) ? 1000 : 1);
}

function isBitRate(text: string): boolean {
  const bitRate = parseBitRate(text) ?? 0;
  return bitRate >= 8000 && bitRate <= 512_000;
}
