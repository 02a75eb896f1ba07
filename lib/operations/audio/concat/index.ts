import { z } from "zod";
import { editedType } from "#lib/engines/ffmpeg/audio/edit-audio.ts";
import { audioDuration } from "#lib/engines/ffmpeg/audio/written-duration.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { JobError } from "#lib/errors.ts";
import { limitError } from "#lib/limits/limits.ts";
import { mediaType } from "#lib/media/types.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { audioInputs } from "#lib/operations/fields/index.ts";
import { createSource } from "../../shared/audio/join-audio.ts";
import { readEach } from "../../shared/inputs/name-input.ts";
import { canCopyPackets, copyPackets } from "./copy-packets.ts";
import { joinSamples } from "./join-samples.ts";

export const concat = defineOperation({
  id: "audio/concat",
  title: "Join audio",
  summary:
    "Join audio files one after the other, in the format of the first. For a video, the audio track is used.",
  accepts: audioInputs,
  inputs: { min: 2, max: 100 },
  params: z.strictObject({
    crossfade: z.number().min(0).max(60).default(0).meta({
      description:
        "How long the end of each file fades into the start of the next, in seconds, at most half of either file. With 0, MP3 and AAC files of the same sample rate and channels are joined without encoding them again.",
      unit: "s",
    }),
  }),
  example: { crossfade: 0.5 },
  sample: { inputs: ["audio.flac", "speech.mp3"], params: { crossfade: 1 } },
  produces: (type) => editedType(type),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ inputs, params: { crossfade }, work, signal, progress }) {
    const sources = await readEach(inputs, async (file) =>
      createSource(file, await probe(file, work, signal)),
    );
    const [first] = sources;
    const total = sources.reduce((sum, { info }) => sum + (info.duration ?? 0), 0);
    if (total > work.limits.duration) throw limitError("duration", work.limits.duration);
    if (!first) throw new Error("no inputs");
    const output = work.output(mediaType(editedType(first.file.type.id)).extension);
    const request = { sources, output, duration: total, work, signal, progress };
    const copies = crossfade === 0 && canCopyPackets(sources);
    const seconds = await (copies ? copyPackets(request) : joinSamples(request, crossfade));
    if (seconds === 0) throw new JobError("corrupt", "The audio in this file cannot be decoded.");
    const duration = await audioDuration(output, { seconds }, { planned: total }, work, signal);
    return { outputs: [{ ...output, ...(duration === undefined ? {} : { duration }) }] };
  },
});
