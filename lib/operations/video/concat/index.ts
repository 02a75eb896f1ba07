import { z } from "zod";
import { probe, requireVideo } from "#lib/engines/ffmpeg/ffprobe.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { videos } from "#lib/operations/fields/index.ts";
import { readEach } from "../../shared/inputs/name-input.ts";
import { copyStreams, haveSameStreams } from "./copy-streams.ts";
import { transitions } from "./join-format.ts";
import { joinNormalized } from "./join-normalized.ts";

export const concat = defineOperation({
  id: "video/concat",
  title: "Join videos",
  summary: "Join videos one after another, without re-encoding where they have the same format.",
  accepts: videos,
  inputs: { min: 2, max: 100 },
  params: z.strictObject({
    transition: z
      .enum(transitions)
      .default("none")
      .describe("How one video changes to the next. Audio is crossfaded."),
    transition_duration: z.number().min(0.1).max(5).default(1).meta({
      description: "Length of a transition; at most half of each of its videos.",
      control: "slider",
      unit: "s",
    }),
  }),
  example: {},
  sample: { inputs: ["video.mp4", "clip.mp4"], params: { transition: "fade" } },
  produces: () => "mp4",
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ inputs, params, work, signal, progress }) {
    const files = await readEach(inputs, async (input) => {
      const info = await probe(input, work, signal);
      return { input, info, video: requireVideo(info), work, signal, progress };
    });
    const isCopied = params.transition === "none" && haveSameStreams(files);
    const output = isCopied
      ? await copyStreams(files)
      : await joinNormalized(files, params.transition, params.transition_duration);
    return { outputs: [output] };
  },
});
