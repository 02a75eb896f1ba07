import { z } from "zod";
import { requireAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { openRegular, writeNew } from "#lib/files/regular-files.ts";
import { wavHeader } from "#lib/formats/wav/wav-header.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { audioInputs } from "#lib/operations/fields/index.ts";
import { secondsResult } from "#lib/operations/result-fields.ts";
import { decodeSpeech, findPauses, speechRate } from "./decode-speech.ts";
import { planChunks } from "./plan-chunks.ts";
import { transcribeChunk } from "./transcribe-chunk.ts";
import { joinTranscripts, type Transcript } from "./transcript.ts";
import { type TranscriptFormat, writers } from "./write-transcript.ts";

/** The longest chunk in seconds. Ten minutes are 19.2 MB; OpenAI accepts 25 MB. */
const maxChunkSeconds = 600;

const types = { text: "txt", srt: "srt", vtt: "vtt", json: "json" } as const;

export const transcribe = defineOperation({
  id: "audio/transcribe",
  title: "Transcribe speech",
  summary:
    "Transcribe speech to text, subtitles or JSON, by the transcription server of the operator.",
  accepts: audioInputs,
  params: z.strictObject({
    language: z
      .string()
      .regex(/^(auto|[a-z]{2,3})$/, "must be auto or an ISO 639 code such as en")
      .default("auto")
      .meta({
        description:
          "The language that is spoken, as an ISO 639-1 code such as en or de. With auto, the server detects it.",
      }),
    format: z
      // The keys of the table.
      .enum(Object.keys(types) as [TranscriptFormat, ...TranscriptFormat[]])
      .default("json")
      .meta({
        description:
          "text for the words alone, srt or vtt for subtitles, json for text, segments and words with their times.",
      }),
  }),
  example: { format: "srt" },
  sample: { input: "speech.mp3", params: { language: "en", format: "vtt" } },
  produces: (_type, { format }) => types[format],
  result: z.strictObject({
    language: z.string().nullable().describe("The language, as the server names it."),
    text: z.string().describe("The whole text."),
    segments: z
      .array(
        z.strictObject({
          start: secondsResult("Its start"),
          end: secondsResult("Its end"),
          text: z.string(),
        }),
      )
      .describe("The text in parts of about a sentence."),
    words: z
      .array(
        z.strictObject({
          start: secondsResult("Its start"),
          end: secondsResult("Its end"),
          word: z.string(),
        }),
      )
      .describe("The words; empty if the server does not report them."),
    duration: secondsResult("The duration of the audio"),
  }),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  variables: ["TRANSCRIBE_URL"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const source = { file: input, stream: requireAudio(info), work, signal };
    const { samples, duration } = await decodeSpeech(source);
    const pauses = duration > maxChunkSeconds ? await findPauses(source) : [];
    const chunks = planChunks(pauses, duration, maxChunkSeconds);
    const language = params.language === "auto" ? undefined : params.language;
    const parts: Transcript[] = [];
    progress(10);
    for (const { start, end } of chunks) {
      const chunk = await readChunk(samples.path, start, end);
      parts.push(await transcribeChunk(chunk, language, signal));
      progress(10 + (90 * parts.length) / chunks.length);
    }
    const transcript = joinTranscripts(parts);
    const output = work.output(types[params.format]);
    await writeNew(output.path, writers[params.format](transcript));
    return { outputs: [output], result: { ...transcript, duration } };
  },
});

/** Reads a part of the samples as a WAV file. Times in seconds. */
async function readChunk(path: string, start: number, end: number) {
  const first = Math.round(start * speechRate);
  const last = Math.round(end * speechRate);
  const frames = last - first;
  const data = Buffer.alloc(frames * 2);
  const file = await openRegular(path);
  try {
    await file.read(data, 0, data.length, first * 2);
  } finally {
    await file.close();
  }
  const wav = Buffer.concat([wavHeader({ channels: 1, sampleRate: speechRate, frames }), data]);
  return { wav, offset: first / speechRate, duration: frames / speechRate };
}
