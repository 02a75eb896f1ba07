import { openImage, type SourceImage } from "#lib/engines/image/open.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { formatNumber } from "#lib/formats/pdf/objects/serialize.ts";
import type { PdfRef } from "#lib/formats/pdf/objects/values.ts";
import { PdfWriter } from "#lib/formats/pdf/objects/writer.ts";
import { readPixelRatios } from "#lib/formats/tiff/pixel-ratios.ts";
import { readEach } from "../inputs/name-input.ts";
import { embedImage } from "../pdf/images/embed-image.ts";

/** Makes PDF pages of images, in a worker. Lengths are in points. */

export interface ImageLayout {
  /** The size of all pages. They are turned for images of the other orientation. By default as the image. */
  readonly page?: { readonly width: number; readonly height: number };
  readonly margin: Readonly<Record<"top" | "right" | "bottom" | "left", number>>;
  /** The longer side of a page that is as large as its image, if the file declares no print resolution. */
  readonly maxSide?: number;
  /** The pages of a file: all frames of an animation, or only pages of documents (TIFF). */
  readonly frames: "all" | "documents";
}

/** Pixels per inch of an image that does not declare it. */
const defaultDensity = 96;

/** Cameras and editors write 72 without meaning it. Others are a scanner's or a designer's intention. */
const isDeclared = (density: number | undefined): density is number =>
  density !== undefined && density > 72 && density <= 4800;

/** The longest side of a PDF page (ISO 32000-1, C.2), and the shortest that viewers open. */
const longestSide = 14_400;
const shortestSide = 3;

/** Writes a PDF with the images of `files` in order. Its `pages` are in the result. */
export const drawImages = async ({ files, options, work, progress }: WorkerCall<ImageLayout>) => {
  const output = work.scratch("pdf");
  const writer = new PdfWriter(output.path);
  const tree = writer.allocate();
  const pages: PdfRef[] = [];
  await readEach(files, async (file, index) => {
    const count = await countFrames(file, work.limits, options);
    const ratios = file.extension === "tiff" ? await readPixelRatios(file.path, count) : [];
    for (let page = 0; page < count; page++) {
      const source = await openImage(file, work.limits, { page });
      pages.push(await writePage(source, ratios[page] ?? 1, options, tree, writer));
    }
    progress(((index + 1) / files.length) * 100);
  });
  writer.write(tree, { "/Type": "/Pages", "/Kids": pages, "/Count": pages.length });
  writer.finish({ root: writer.add({ "/Type": "/Catalog", "/Pages": tree }) });
  return { outputs: [output], result: { pages: pages.length } };
};

async function countFrames(
  file: WorkFile,
  limits: Parameters<typeof openImage>[1],
  { frames }: ImageLayout,
): Promise<number> {
  // Reads only the header, and checks the limits on all frames together.
  const { metadata } = await openImage(file, limits, { firstPage: true });
  const isSequence = metadata.format === "tiff" || (frames === "all" && metadata.format !== "heif");
  return isSequence ? (metadata.pages ?? 1) : 1;
}

async function writePage(
  source: SourceImage,
  pixelRatio: number,
  layout: ImageLayout,
  parent: PdfRef,
  writer: PdfWriter,
): Promise<PdfRef> {
  const image = await embedImage(source, writer);
  const { page, box } = layOutImage(source, pixelRatio, layout);
  const matrix = placeImage(source.orientation, box).map(formatNumber).join(" ");
  const contents = writer.addDeflated({}, Buffer.from(`q ${matrix} cm /Image Do Q\n`));
  return writer.add({
    "/Type": "/Page",
    "/Parent": parent,
    "/MediaBox": [0, 0, page.width, page.height],
    "/Resources": { "/XObject": { "/Image": image } },
    "/Contents": contents,
  });
}

interface Box {
  readonly left: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The size of the page and the box of the upright image on it. Its pixels, as they are stored, are
 * `pixelRatio` times as high as wide.
 */
function layOutImage(
  source: SourceImage,
  pixelRatio: number,
  { page, margin, maxSide }: ImageLayout,
) {
  const isTurned = source.orientation >= 5;
  const { width: storedWidth } = source;
  const storedHeight = source.height * pixelRatio;
  const [across, down] = isTurned ? [storedHeight, storedWidth] : [storedWidth, storedHeight];
  const { density } = source.metadata;
  const declared = isDeclared(density);
  const natural = 72 / (declared ? density : defaultDensity);
  const sides = margin.left + margin.right;
  const ends = margin.top + margin.bottom;
  const longer = Math.max(across, down) * natural;
  const longest = Math.min(declared ? longestSide : (maxSide ?? longestSide), longestSide);
  if (!page) {
    const fitted = natural * Math.min(1, (longest - Math.max(sides, ends)) / longer);
    const largest = (longest - Math.max(sides, ends)) / Math.max(across, down);
    const readable = shortestSide / Math.min(across, down);
    const image = scaled(across, down, Math.max(fitted, Math.min(readable, largest)));
    // Only a very narrow image leaves room.
    const width = Math.max(image.width, shortestSide - sides);
    const height = Math.max(image.height, shortestSide - ends);
    const left = margin.left + (width - image.width) / 2;
    const bottom = margin.bottom + (height - image.height) / 2;
    return {
      page: { width: round(width + sides), height: round(height + ends) },
      box: { left, bottom, ...image },
    };
  }
  const matches = across === down || page.width > page.height === across > down;
  const [width, height] = matches ? [page.width, page.height] : [page.height, page.width];
  const roomAcross = width - sides;
  const roomDown = height - ends;
  const { width: w, height: h } = scaled(
    across,
    down,
    Math.min(roomAcross / across, roomDown / down),
  );
  const left = margin.left + (roomAcross - w) / 2;
  const bottom = margin.bottom + (roomDown - h) / 2;
  return {
    page: { width: round(width), height: round(height) },
    box: { left, bottom, width: w, height: h },
  };
}

const scaled = (width: number, height: number, scale: number) => ({
  width: width * scale,
  height: height * scale,
});

const round = (length: number) => Math.round(length * 1000) / 1000;

/**
 * The transformation of the unit square, in which a PDF draws an image, to the box, for each EXIF
 * orientation.
 */
function placeImage(orientation: number, { left, bottom, width, height }: Box): number[] {
  const right = left + width;
  const top = bottom + height;
  switch (orientation) {
    case 2:
      return [-width, 0, 0, height, right, bottom];
    case 3:
      return [-width, 0, 0, -height, right, top];
    case 4:
      return [width, 0, 0, -height, left, top];
    case 5:
      return [0, -height, -width, 0, right, top];
    case 6:
      return [0, -height, width, 0, left, top];
    case 7:
      return [0, height, width, 0, left, bottom];
    case 8:
      return [0, height, -width, 0, right, bottom];
    default:
      return [width, 0, 0, height, left, bottom];
  }
}
