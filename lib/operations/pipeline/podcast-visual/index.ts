import { z } from "zod";
import { requireAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import { normalizeToPng } from "#lib/engines/worker/image/image-info.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { audioInputs, images, optionalColor } from "#lib/operations/fields/index.ts";
import { extractCover } from "../../shared/video/extract-cover.ts";
import { waveStyles } from "./scene.ts";
import { writeVisual } from "./write-visual.ts";

const evenSide = (initial: number, what: string) =>
  z
    .number()
    .int()
    .min(320)
    .max(3840)
    .multipleOf(2)
    .default(initial)
    .meta({
      description: `${what} of the video; an even number.`,
      unit: "px",
    });

export const podcastVisual = defineOperation({
  id: "pipeline/podcast-visual",
  title: "Podcast video",
  summary: "Make a video of audio: its waveform moves next to its picture and title.",
  accepts: audioInputs,
  params: z.strictObject({
    background_color: optionalColor(
      "The default is a blurred copy of the picture, or a dark gradient if there is none. Transparency is ignored.",
    ),
    wave_color: optionalColor("The default is a color that contrasts with the background."),
    style: z
      .enum(waveStyles)
      .default("bars")
      .describe("bars and circle move by the frequencies of the audio, line by its samples."),
    width: evenSide(1280, "Width"),
    height: evenSide(720, "Height"),
  }),
  files: {
    image: {
      accepts: images,
      required: false,
      description:
        "A picture to show, such as a cover, cut to a square. The default is the cover art of the audio file, if it has one.",
    },
  },
  example: { style: "bars", background_color: "#1e293b", width: 640, height: 360 },
  sample: { input: "podcast.mp3", files: { image: "photo.jpg" }, params: { style: "bars" } },
  produces: () => "mp4",
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe", "image"],
  async run({ input, files, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const audio = requireAudio(info);
    const picture = files.image
      ? await normalizeToPng(files.image, work, signal).then(({ file }) => file)
      : await extractCover(input, info, work, signal).catch(withoutDamage);
    const request = { input, info, audio, picture, work, signal, progress };
    return { outputs: [await writeVisual(request, params)] };
  },
});

/** A damaged cover is left out: the audio is what counts. */
function withoutDamage(error: unknown): undefined {
  if (error instanceof JobError && error.fault === "caller") return undefined;
  throw error;
}
