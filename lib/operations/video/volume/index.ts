import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { rotatedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { gain, videos } from "#lib/operations/fields/index.ts";
import { filterTracks } from "../../shared/audio/filter-tracks.ts";

export const volume = defineOperation({
  id: "video/volume",
  title: "Change volume of a video",
  summary: "Change the volume of all audio of a video. The video itself is not changed.",
  accepts: videos,
  params: z.strictObject({
    gain: gain("The change of the volume. Samples above full scale are clipped."),
  }),
  example: { gain: "-3dB" },
  sample: { input: "video.mp4", params: { gain: "6dB" } },
  produces: (type) => type,
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const { width, height } = rotatedFrame(requireVideo(info));
    const filters = () => [`volume=${params.gain.toFixed(8)}:precision=double`];
    const output = await filterTracks({ input, info, work, signal, progress, filters });
    return { outputs: [{ ...output, width, height }] };
  },
});
