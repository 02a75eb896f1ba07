import { rename } from "node:fs/promises";
import { z } from "zod";
import { requireAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { drawSvg } from "#lib/engines/worker/image/image-info.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { audioInputs, color, optionalColor, side } from "#lib/operations/fields/index.ts";
import { countResult, secondsResult } from "#lib/operations/result-fields.ts";
import { drawWaveform } from "../../shared/audio/draw-waveform.ts";
import { measurePeaks } from "../../shared/audio/measure-peaks.ts";
import { describePeaks } from "./describe-peaks.ts";

export const waveform = defineOperation({
  id: "audio/waveform",
  title: "Waveform",
  summary: "Draw the waveform of audio, or get its peaks as JSON.",
  accepts: audioInputs,
  params: z.strictObject({
    width: side("Width of the image, and the most peaks of the JSON.", 8192).default(1920),
    height: side("Height of the image. Has no effect on json.", 4096).default(200),
    color: color("#2563eb"),
    background: optionalColor("The default is a transparent background."),
    format: z.enum(["png", "svg", "json"]).default("png").meta({
      description:
        "png or svg for an image. json for the lowest and highest sample of each column, in the format of audiowaveform, which peaks.js and wavesurfer.js read.",
    }),
  }),
  example: { width: 800, height: 120 },
  sample: { input: "podcast.mp3" },
  produces: (_type, { format }) => format,
  result: z.strictObject({
    version: z.number().int().describe("Version of the format of audiowaveform."),
    channels: countResult("Number of channels of the peaks."),
    sample_rate: z.number().describe("Samples per second of the audio."),
    samples_per_pixel: z.number().describe("Samples that each peak stands for."),
    bits: z.number().int().describe("Bits of each value of the peaks."),
    length: countResult("Number of peaks."),
    duration: secondsResult("The duration of the audio"),
  }),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe", "image"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const stream = requireAudio(info);
    const { duration } = info;
    const source = { file: input, stream, work, signal, duration, progress };
    const measured = await measurePeaks(source, params.width);
    const { data, ...properties } = describePeaks(measured);
    const result = { ...properties, duration: measured.samples / stream.sampleRate };
    const output = work.output(params.format);
    if (params.format === "json") {
      await writeNew(output.path, `${JSON.stringify({ ...properties, data })}\n`);
      return { outputs: [output], result };
    }
    const svg = drawWaveform(measured.peaks, params);
    const size = { width: params.width, height: params.height };
    if (params.format === "svg") {
      await writeNew(output.path, svg);
      return { outputs: [{ ...output, ...size }], result };
    }
    const drawing = work.scratch("svg");
    await writeNew(drawing.path, svg);
    const png = await drawSvg(drawing, {}, work, signal);
    await rename(png.path, output.path);
    return { outputs: [{ ...output, ...size }], result };
  },
});
