import { z } from "zod";
import { moveChapters, writeChapters } from "#lib/engines/ffmpeg/audio/chapters.ts";
import { editedType } from "#lib/engines/ffmpeg/audio/edit-audio.ts";
import { audioDuration } from "#lib/engines/ffmpeg/audio/written-duration.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { JobError } from "#lib/errors.ts";
import { mediaType } from "#lib/media/types.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { audioInputs } from "#lib/operations/fields/index.ts";
import { secondsResult } from "#lib/operations/result-fields.ts";
import {
  type AudioSource,
  chooseJoinedFormat,
  createSource,
  joinedFileArguments,
} from "../../shared/audio/join-audio.ts";
import { readEach } from "../../shared/inputs/name-input.ts";
import { findSpeech } from "./find-speech.ts";
import { duckDecibels, mixDurations, planMix } from "./plan-mix.ts";
import { parseVolumes, volumesField } from "./volumes.ts";

/** Mixes audio. `result.ducked` has the times in which `duck` lowers the other files. */
export const mix = defineOperation({
  id: "audio/mix",
  title: "Mix audio",
  summary: "Mix audio files, in the format of the first. For a video, the audio track is used.",
  accepts: audioInputs,
  inputs: { min: 2, max: 32 },
  params: z.strictObject({
    volumes: volumesField,
    duration: z.enum(mixDurations).default("longest").meta({
      description: "Which file the mix ends with: the longest, the shortest or the first.",
    }),
    duck: z
      .boolean()
      .default(false)
      .meta({
        description: `Lower all other files by ${duckDecibels} dB while someone speaks in the first file.`,
      }),
  }),
  example: { volumes: "1,0.5" },
  sample: { inputs: ["speech.mp3", "audio.flac"], params: { volumes: "1,12dB", duck: true } },
  produces: (type) => editedType(type),
  result: z
    .strictObject({
      ducked: z
        .array(z.strictObject({ start: secondsResult("Its start"), end: secondsResult("Its end") }))
        .describe("The times in which the other files are lowered."),
    })
    .optional()
    .describe("Only with `duck`."),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ inputs, params, work, signal, progress }) {
    const sources = await readEach(inputs, async (file) =>
      createSource(file, await probe(file, work, signal)),
    );
    const [first] = sources;
    if (!first) throw new Error("no inputs");
    const speech = params.duck ? await findSpeech(first, work, signal) : [];
    const joined = chooseJoinedFormat(sources);
    const output = work.output(mediaType(editedType(first.file.type.id)).extension);
    const plan = { volumes: parseVolumes(params.volumes), duration: params.duration, speech };
    const planned = expectedDuration(sources, params.duration);
    const kept = moveChapters(first.info.chapters, (time) => time, planned);
    const chapters = await writeChapters(kept, sources.length, work);
    const written = await runFfmpeg({
      work,
      signal,
      progress,
      duration: planned,
      inputs: [
        ...sources.map(({ file }) => ({ file })),
        ...(chapters.input ? [chapters.input] : []),
      ],
      filterGraphs: planMix(sources, joined, plan),
      outputs: [
        { file: output, args: [...joinedFileArguments(first, joined, "out"), ...chapters.args] },
      ],
    });
    if (written.seconds === 0)
      throw new JobError("corrupt", "The audio in this file cannot be decoded.");
    const duration = await audioDuration(output, written, { planned }, work, signal);
    const result = { ducked: speech.map(({ start, end }) => ({ start, end })) };
    return {
      outputs: [{ ...output, ...(duration === undefined ? {} : { duration }) }],
      ...(params.duck ? { result } : {}),
    };
  },
});

function expectedDuration(
  sources: readonly AudioSource[],
  mode: (typeof mixDurations)[number],
): number {
  const durations = sources.map(({ info }) => info.duration ?? 0);
  if (mode === "first") return durations[0] ?? 0;
  return mode === "longest" ? Math.max(...durations) : Math.min(...durations);
}
