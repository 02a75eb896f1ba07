import type { PDFPageProxy } from "pdfjs-dist";
import { loadSharp } from "#lib/engines/image/open.ts";
import { type Matrix, multiply } from "#lib/formats/pdf/structure/matrix.ts";
import type { ImageCollector } from "../content/images.ts";
import { boxOf } from "./matrix.ts";
import { type Box, enclose, type PageImage, type Rule } from "./page.ts";

/** Thicker bars, in points, are no lines. */
const maxThickness = 3;
const minLength = 8;
/** A drawing has more lines than a page of tables. */
const maxRules = 5000;
/** Smaller images, in points, are decoration. */
const minImage = 16;

/** The straight lines and the images of a page, from its drawing instructions. */
export async function readGraphics(
  page: PDFPageProxy,
  view: Matrix,
  images: ImageCollector,
): Promise<{ rules: Rule[]; dots: Box[]; images: PageImage[] }> {
  const { OPS } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const strokes = new Set([OPS.stroke, OPS.closeStroke, OPS.fillStroke, OPS.eoFillStroke]);
  const list = await page.getOperatorList();
  const rules: Rule[] = [];
  const dots: Box[] = [];
  const placed: PageImage[] = [];
  const saved: Matrix[] = [];
  let matrix = view;
  for (const [index, operator] of list.fnArray.entries()) {
    const args: unknown[] = list.argsArray[index] ?? [];
    if (operator === OPS.save || operator === OPS.paintFormXObjectBegin) {
      saved.push(matrix);
      const [own] = args;
      if (operator !== OPS.save && isMatrix(own)) matrix = multiply(own, matrix);
    } else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) {
      matrix = saved.pop() ?? view;
    } else if (operator === OPS.transform && isMatrix(args)) {
      matrix = multiply(args, matrix);
    } else if (operator === OPS.constructPath && rules.length < maxRules) {
      const path = readPath(args, matrix);
      if (isDot(path.box)) dots.push(path.box);
      // Of a filled area, only a thin one is a line; others are backgrounds and clipping paths.
      else if (strokes.has(Number(args[0]))) rules.push(...path.lines);
      else if (args[0] !== OPS.endPath && isThin(path.box)) rules.push(path.box);
    } else if (operator === OPS.paintImageXObject && images.isEnabled) {
      const image = await readImage(page, `${args[0]}`, matrix, images);
      if (image) placed.push(image);
    }
  }
  return { rules, dots, images: placed };
}

function isMatrix(value: unknown): value is Matrix {
  return (
    Array.isArray(value) && value.length === 6 && value.every((one) => typeof one === "number")
  );
}

/** Instructions within a path: the numbers that follow each. */
const pathLengths: Readonly<Record<number, number>> = { 0: 2, 1: 2, 2: 6, 3: 4, 4: 0 };

/** The straight horizontal and vertical parts of a path, and the box around it. */
function readPath(args: readonly unknown[], matrix: Matrix): { lines: Rule[]; box: Box } {
  const data: unknown = Array.isArray(args[1]) ? args[1][0] : undefined;
  const lines: Rule[] = [];
  const boxes: Box[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const add = (toX: number, toY: number) => {
    const box = boxOf(matrix, x, y, toX, toY);
    boxes.push(box);
    [x, y] = [toX, toY];
    return box;
  };
  const numbers = data instanceof Float32Array ? data : [];
  for (let at = 0; at < numbers.length; ) {
    const operator = numbers[at] ?? 0;
    const count = pathLengths[operator];
    if (count === undefined) break;
    const toX = numbers[at + count - 1] ?? 0;
    const toY = numbers[at + count] ?? 0;
    if (operator === 0) [x, y, startX, startY] = [toX, toY, toX, toY];
    else {
      const box = operator === 4 ? add(startX, startY) : add(toX, toY);
      if ((operator === 1 || operator === 4) && isThin(box)) lines.push(box);
    }
    at += count + 1;
  }
  return { lines, box: enclose(boxes) };
}

function isThin({ left, top, right, bottom }: Box): boolean {
  const width = right - left;
  const height = bottom - top;
  return Math.min(width, height) <= maxThickness && Math.max(width, height) >= minLength;
}

/** Whether a shape is as wide as high, and as small as the mark of a list's item. */
function isDot({ left, top, right, bottom }: Box): boolean {
  const width = right - left;
  const height = bottom - top;
  return width >= 1.5 && width <= 7 && Math.abs(width - height) < 0.2 * width;
}

/** An image as PDF.js decodes it; `kind` is 1 (one bit), 2 (RGB) or 3 (RGBA). */
interface DecodedImage {
  readonly width: number;
  readonly height: number;
  readonly kind?: number;
  readonly data?: Uint8Array;
}

async function readImage(
  page: PDFPageProxy,
  id: string,
  matrix: Matrix,
  images: ImageCollector,
): Promise<PageImage | undefined> {
  const box = boxOf(matrix, 0, 0, 1, 1);
  if (Math.min(box.right - box.left, box.bottom - box.top) < minImage) return undefined;
  const objects = id.startsWith("g_") ? page.commonObjs : page.objs;
  const image = await new Promise<DecodedImage | null>((resolve) => objects.get(id, resolve));
  const name = await images.add(`${page.pageNumber}:${id}`, () => encodeImage(image));
  return name === undefined ? undefined : { ...box, name };
}

async function encodeImage(image: DecodedImage | null): Promise<Buffer | undefined> {
  if (!image?.data || (image.kind !== 2 && image.kind !== 3)) return undefined;
  const { width, height, data } = image;
  const sharp = await loadSharp();
  const raw = { width, height, channels: image.kind === 2 ? 3 : 4 } as const;
  return sharp(data, { raw }).png().toBuffer();
}
