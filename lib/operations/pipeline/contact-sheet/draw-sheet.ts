import { loadSharp, type Sharp, translateVipsErrors } from "#lib/engines/image/open.ts";
import { rasterizeText, type TextRaster } from "#lib/engines/image/rasterize-text.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";

interface Size {
  /** The width in pixels. */
  readonly width: number;
  readonly height: number;
}

/** Where the frames of a contact sheet are. */
export interface SheetLayout {
  readonly sheet: Size;
  /** The size of each frame. */
  readonly frame: Size;
  readonly columns: number;
  /** The space between frames, and at the edges at least. */
  readonly gap: number;
  /**
   * The free space at the left edge; the right one has a few pixels more if the frames do not fill
   * the width.
   */
  readonly left: number;
}

export interface ContactSheet extends SheetLayout {
  /** A time stamp for each frame; none if it is empty. */
  readonly labels: readonly string[];
}

const background = { r: 24, g: 26, b: 31 };

/** Draws images of the size `frame`, row by row, with a label in the lower right corner of each. */
export const drawContactSheet = async ({
  files,
  options,
  work,
  progress,
}: WorkerCall<ContactSheet>) => {
  const sharp = await loadSharp();
  const { sheet, frame, columns, gap, left, labels } = options;
  const fill = [background.r, background.g, background.b];
  const canvas = Buffer.alloc(sheet.width * sheet.height * 3, Buffer.from(fill));
  for (const [index, file] of files.entries()) {
    const label = labels[index];
    const pixels = await readPixels(file, frame, label ? await drawLabel(label, frame) : []);
    const x = left + (index % columns) * (frame.width + gap);
    const y = gap + Math.floor(index / columns) * (frame.height + gap);
    for (let row = 0; row < frame.height; row++) {
      const from = row * frame.width * 3;
      pixels.copy(canvas, ((y + row) * sheet.width + x) * 3, from, from + frame.width * 3);
    }
    progress((100 * (index + 1)) / files.length);
  }
  const output = work.output("jpg");
  const raw = { ...sheet, channels: 3 } as const;
  const jpeg = { quality: 88, mozjpeg: false, chromaSubsampling: "4:4:4" };
  await sharp(canvas, { raw }).jpeg(jpeg).toFile(output.path);
  return { outputs: [{ ...output, ...sheet }] };
};

async function readPixels(
  file: WorkFile,
  frame: Size,
  layers: Parameters<Sharp["composite"]>[0],
): Promise<Buffer> {
  const sharp = await loadSharp();
  // Two pipelines: sharp removes alpha before it composites.
  const opaque = sharp(file.path)
    .resize({ ...frame, fit: "fill" })
    .flatten({ background: "#000" });
  const raw = { ...frame, channels: 3 } as const;
  const pixels = await translateVipsErrors(opaque.toColorspace("srgb").raw().toBuffer());
  if (layers.length === 0) return pixels;
  return sharp(pixels, { raw })
    .composite([...layers])
    .removeAlpha()
    .raw()
    .toBuffer();
}

/** White text on a dark plate. It is left out if the frame is too small to read it. */
async function drawLabel(text: string, frame: Size): Promise<Parameters<Sharp["composite"]>[0]> {
  const { width, height } = frame;
  const fontSize = Math.round(Math.min(48, Math.max(10, Math.min(width * 0.052, height * 0.12))));
  const paddingX = Math.round(fontSize * 0.5);
  const paddingY = Math.round(fontSize * 0.38);
  const margin = Math.round(fontSize * 0.5);
  const box = { maxWidth: width, maxHeight: height };
  const raster = await rasterizeText({ ...box, text, fontSize, color: "#ffffff", opacity: 1 });
  if (!raster) return [];
  const plate = { width: raster.width + 2 * paddingX, height: raster.height + 2 * paddingY };
  if (plate.width + 2 * margin > width || plate.height + 2 * margin > height) return [];
  const left = width - margin - plate.width;
  const top = height - margin - plate.height;
  return [
    { ...drawPlate(plate, Math.round(fontSize * 0.3)), left, top },
    { ...toLayer(raster), left: left + paddingX, top: top + paddingY },
  ];
}

function drawPlate({ width, height }: Size, radius: number) {
  const plate = `<rect width="${width}" height="${height}" rx="${radius}" fill-opacity="0.66"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${plate}</svg>`;
  return { input: Buffer.from(svg) };
}

function toLayer({ data, width, height }: TextRaster) {
  return { input: data, raw: { width, height, channels: 4 } } as const;
}
