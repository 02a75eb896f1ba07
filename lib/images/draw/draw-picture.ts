import { loadSharp, type Sharp } from "#lib/engines/image/open.ts";
import { requireFiles, type WorkerRun } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { addsTransparency } from "../plan/pixel-filters.ts";
import type { PictureFormat } from "../plan/plan.ts";
import { type DrawSettings, drawFrame } from "./draw-frame.ts";
import { drawTransformed } from "./draw-transformed.ts";
import { encodePicture } from "./encode.ts";
import { keepMetadata } from "./metadata.ts";
import type { Drawn, DrawOptions } from "./options.ts";
import type { Canvas } from "./pixels/canvas.ts";
import { openSource, type PictureSource } from "./pixels/open-source.ts";
import { isOpaque, readSamples } from "./pixels/samples.ts";

/** Formats that pictures keep if the client does not prefer another one. */
const keptFormats: readonly PictureFormat[] = ["jpeg", "png", "gif"];

const animatedFormats: readonly PictureFormat[] = ["gif", "webp"];

/** All frames of an animation together. */
const maxDrawnPixels = 2 ** 28;

/** Draws a picture, in a worker. Throws `JobError` if the source is damaged or too large. */
export const drawPicture: WorkerRun<DrawOptions, Drawn> = async ({ files, options, work }) => {
  const [file, ...watermarks] = requireFiles(files);
  const { plan } = options;
  const source = await openSource(file.path, plan.page);
  const paths = watermarks.flatMap((one) => one?.path ?? []);
  const { image, format: chosen } = await drawFitting(source, options, paths);
  const mayBecomeJpeg = plan.autoJpeg && plan.format === null && chosen === "png";
  const format = mayBecomeJpeg && (await hasNoAlpha(image)) ? "jpeg" : chosen;
  const described = await keepMetadata(image, source.metadata, plan, work);
  const { data, width, height, quality } = await encodePicture(described, format, plan);
  const result = { format, width, height, quality };
  if (options.inReply && data.length <= maxReplyBytes) {
    return { outputs: [], result: { ...result, body: data.toString("base64") } };
  }
  const output = work.output(extensionOf(format));
  await writeNew(output.path, data);
  return { outputs: [output], result };
};

/** The longest sides that encoders write. */
const maxSides: Readonly<Partial<Record<PictureFormat, number>>> = { webp: 16_383, avif: 16_384 };

/** Draws the picture for the best format that its size fits. A format that the URL names is not changed. */
async function drawFitting(
  source: PictureSource,
  options: DrawOptions,
  watermarks: readonly string[],
): Promise<{ image: Sharp; format: PictureFormat }> {
  const { plan, preferred, vector } = options;
  const format = chooseFormat(source, options);
  const isAnimated = source.frames > 1 && !plan.isStill && animatedFormats.includes(format);
  const settings: DrawSettings = {
    plan,
    flattens: plan.background !== null || format === "jpeg",
    hasAlpha: isAnimated || source.metadata.hasAlpha,
    lacksAlpha: format === "jpeg",
    watermarks,
    vector,
  };
  const drawn = isAnimated ? await drawFrames(source, settings) : await drawStill(source, settings);
  const side = Math.max(drawn.width, drawn.height);
  const fits = (one: PictureFormat) => side <= (maxSides[one] ?? side);
  if (plan.format || fits(format)) return { image: drawn.image, format };
  return drawFitting(source, { ...options, preferred: preferred.filter(fits) }, watermarks);
}

/** Most pictures of pages are smaller. A reply may have 8 MB. */
const maxReplyBytes = 500_000;

/** Engines make some formats of a PNG. */
function extensionOf(format: PictureFormat): string {
  if (format === "jpeg") return "jpg";
  return format === "jxl" || format === "heic" ? "png" : format;
}

function chooseFormat(source: PictureSource, { plan, preferred }: DrawOptions): PictureFormat {
  if (plan.format) return plan.format;
  const isAnimated = source.frames > 1;
  const wanted = preferred.find((format) => !isAnimated || animatedFormats.includes(format));
  if (wanted) return wanted;
  const own = keptFormats.find((format) => format === source.metadata.format);
  if (own) return own;
  if (isAnimated) return "gif";
  const { padding, extend } = plan;
  const isExtended = extend.enabled || Object.values(padding).some((side) => side > 0);
  const canBeTransparent = source.metadata.hasAlpha || isExtended || addsTransparency(plan.filters);
  const isTransparent = plan.background === null && canBeTransparent;
  return isTransparent ? "png" : "jpeg";
}

async function drawStill(source: PictureSource, settings: DrawSettings): Promise<Canvas> {
  const opened = await source.open();
  const { autoRotate } = settings.plan;
  const isTurned = autoRotate && (source.metadata.orientation ?? 1) >= 5;
  const canvas = {
    image: autoRotate ? opened.autoOrient() : opened,
    width: isTurned ? source.height : source.width,
    height: isTurned ? source.width : source.height,
  };
  return draw(canvas, settings);
}

function draw(canvas: Canvas, settings: DrawSettings): Promise<Canvas> {
  const { transform } = settings.plan;
  return transform ? drawTransformed(canvas, transform, settings) : drawFrame(canvas, settings);
}

async function hasNoAlpha(image: Sharp): Promise<boolean> {
  return isOpaque(await readSamples(image.clone()));
}

/**
 * Draws the frames of an animation one by one. The size is that of one frame. Animations are not
 * trimmed.
 */
async function drawFrames(source: PictureSource, settings: DrawSettings): Promise<Canvas> {
  const sharp = await loadSharp();
  const { plan } = settings;
  const { transform } = plan;
  const untrimmed = { ...plan, trim: null, transform: transform && { ...transform, trim: null } };
  const all = await readSamples((await source.openFrames()).ensureAlpha());
  const { width, channels } = all;
  const height = all.height / source.frames;
  const frameBytes = width * height * channels;
  const drawn: Buffer[] = [];
  let size = { width: 0, height: 0, channels };
  for (let frame = 0; frame < source.frames; frame++) {
    const data = all.data.subarray(frame * frameBytes, (frame + 1) * frameBytes);
    const image = sharp(data, { raw: { width, height, channels } });
    const canvas = { image, width, height };
    const settled = await draw(canvas, { ...settings, plan: untrimmed });
    const samples = await readSamples(settled.image);
    size = samples;
    // Before the others are drawn, which would fill the memory.
    if (size.width * size.height * source.frames > maxDrawnPixels) {
      throw new JobError("too_complex", "The picture would have too many pixels.");
    }
    drawn.push(samples.data);
  }
  const { delay, loop } = source.metadata;
  const raw = {
    width: size.width,
    height: size.height * source.frames,
    channels: size.channels,
    pageHeight: size.height,
  };
  const joined = sharp(Buffer.concat(drawn), { raw });
  // Both formats take the times from the image that they are written from.
  const timed = joined.gif({ ...(delay ? { delay } : {}), loop: loop ?? 0 });
  return { image: timed, width: size.width, height: size.height };
}
