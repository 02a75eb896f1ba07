import { encodeAs, type StillFormat } from "#lib/engines/image/encode.ts";
import { losesProfile } from "#lib/engines/image/formats/convert.ts";
import { type FramePixels, replacePixels } from "#lib/engines/image/frames.ts";
import { displayedSize, openImage, type Sharp, type SourceImage } from "#lib/engines/image/open.ts";
import { writeWithoutPreviews } from "#lib/engines/image/remove-previews.ts";
import { frameSamples, readUpright } from "#lib/engines/image/upright.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { mediaType } from "#lib/media/types.ts";
import type { OutputFile } from "../../define.ts";

/** Each frame is an output of the job. */
const maxFrames = 1000;

/**
 * Writes each frame, upright and with the metadata of the file, and with 16 bits if the format has
 * them. CMYK becomes sRGB, as does a gray image whose profile the format cannot hold. Throws `JobError`:
 * `too_complex` for more than 1000 frames, `corrupt`.
 */
export async function writeFrames(
  source: SourceImage,
  format: StillFormat,
  work: WorkFolder,
  progress: (percent: number) => void,
): Promise<OutputFile[]> {
  const { pages } = source;
  if (pages > maxFrames) {
    throw new JobError("too_complex", `At most ${maxFrames} frames can be saved.`);
  }
  const first = await openImage(source.file, work.limits, { firstPage: true });
  const [read, single] = losesProfile(source, format)
    ? [asSrgb(source), asSrgb(first)]
    : [source, first];
  const pixels = await readUpright(read);
  const digits = `${pages}`.length;
  const outputs: OutputFile[] = [];
  for (let page = 0; page < pages; page++) {
    const frame = { ...pixels, pages: 1, samples: frameSamples(pixels, page) };
    const output = work.output(mediaType(format).extension);
    const bitDepth = read.depth === "ushort" ? 10 : 8;
    if (format === "jpeg" && frame.channels === 4) whiten(frame);
    const encoded = encodeAs(prepareFrame(single, frame, format), { format, bitDepth });
    await writeWithoutPreviews(encoded, output.path, source.metadata);
    const suffix =
      pages === 1 ? {} : { suffix: `-${`${page + 1}`.padStart(digits, "0")}` as const };
    outputs.push({ ...output, ...displayedSize(source), ...suffix });
    progress((100 * (page + 1)) / pages);
  }
  return outputs;
}

/** The image with its profile applied. */
function asSrgb(source: SourceImage): SourceImage {
  return { ...source, space: "srgb", depth: "uchar", pipeline: source.toSrgb };
}

/** A pipeline in a color space of the format. */
function prepareFrame(single: SourceImage, frame: FramePixels, format: StillFormat): Sharp {
  const isCmyk = single.space === "cmyk";
  const replaced = replacePixels(isCmyk ? { ...single, space: "srgb" } : single, frame);
  if (isCmyk) replaced.withIccProfile("srgb");
  if (single.depth === "ushort" && (format === "jpeg" || format === "webp")) {
    replaced.toColorspace(single.space === "grey16" ? "b-w" : "srgb");
  }
  return replaced;
}

/** Puts RGBA pixels on white, in place. */
function whiten({ samples }: FramePixels): void {
  const max = samples instanceof Uint16Array ? 65_535 : 255;
  for (let at = 0; at < samples.length; at += 4) {
    const alpha = (samples[at + 3] ?? 0) / max;
    for (let channel = at; channel < at + 3; channel++) {
      samples[channel] = Math.round((samples[channel] ?? 0) * alpha + max * (1 - alpha));
    }
    samples[at + 3] = max;
  }
}
