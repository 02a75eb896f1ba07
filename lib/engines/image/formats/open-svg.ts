import type { Metadata, Sharp } from "sharp";
import { inputOptions, loadSharp, translateVipsErrors } from "../open.ts";
import { type CssSize, findRoot, mayHavePrintUnits, readRootSize, scaleSvg } from "./svg-size.ts";

/** An SVG file. Nothing outside of it is read. */
export interface Drawing extends CssSize {
  readonly metadata: Metadata;
  /** Draws it `scale` times as large. */
  readonly draw: (scale: number) => Sharp;
}

/** The resolution at which libvips draws a CSS pixel as one pixel. */
const ownDensity = 72;

/** The resolution of CSS: at this one, lengths in units of print have their ratio to pixels. */
const cssDensity = 96;

const maxDensity = 100_000;

/**
 * Opens an SVG file with its size in CSS pixels, as browsers show it. Throws `JobError("corrupt")` if it
 * cannot be read.
 */
export async function openSvg(bytes: Buffer): Promise<Drawing> {
  const sharp = await loadSharp();
  const drawing = await measureSvg(bytes);
  const draw = (scale: number) => {
    if (!drawing) {
      const density = Math.min(ownDensity * scale, maxDensity);
      return sharp(bytes, { ...inputOptions, density });
    }
    // libvips enlarges all by the resolution, but the size of the root by its square.
    const { svg, root, size } = drawing;
    const scaled = scaleSvg(svg, root, size, (scale * ownDensity) / cssDensity);
    return sharp(Buffer.from(scaled, "latin1"), { ...inputOptions, density: cssDensity });
  };
  const metadata = await translateVipsErrors(draw(1).metadata());
  return { metadata, width: metadata.width, height: metadata.height, draw };
}

interface MeasuredSvg {
  readonly svg: string;
  readonly root: number;
  readonly size: CssSize;
}

/** The size of an SVG file that has lengths in units of print; undefined for all others. */
async function measureSvg(bytes: Buffer): Promise<MeasuredSvg | undefined> {
  const svg = bytes.toString("latin1");
  if (!mayHavePrintUnits(svg)) return undefined;
  const root = findRoot(svg);
  if (root === undefined) return undefined;
  const size = readRootSize(svg, root) ?? (await readRelativeSize(bytes));
  return { svg, root, size };
}

/** The size of a root whose size is relative: to its viewBox, or to the size of its font. */
async function readRelativeSize(bytes: Buffer): Promise<CssSize> {
  const sharp = await loadSharp();
  const opened = sharp(bytes, { ...inputOptions, density: ownDensity });
  const { width, height } = await translateVipsErrors(opened.metadata());
  return { width, height };
}
