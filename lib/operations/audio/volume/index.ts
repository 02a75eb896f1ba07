import { z } from "zod";
import { requireAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { copyToNew } from "#lib/files/regular-files.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { audioInputs, gain } from "#lib/operations/fields/index.ts";
import { filterTracks } from "../../shared/audio/filter-tracks.ts";

export const volume = defineOperation({
  id: "audio/volume",
  title: "Change volume",
  summary: "Change the volume of audio. The video of a video file is not changed.",
  accepts: audioInputs,
  params: z.strictObject({
    gain: gain("The change of the volume. Samples above full scale are clipped."),
  }),
  example: { gain: "-3dB" },
  sample: { input: "audio.flac", params: { gain: "12dB" } },
  produces: (type) => type,
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    if (params.gain === 1) {
      requireAudio(info);
      const output = work.output(input.extension);
      await copyToNew(input.path, output.path);
      const { duration } = info;
      return { outputs: [{ ...output, ...(duration === undefined ? {} : { duration }) }] };
    }
    const filters = () => [`volume=${params.gain.toFixed(8)}:precision=double`];
    return { outputs: [await filterTracks({ input, info, work, signal, progress, filters })] };
  },
});
