import type { RenderOptions } from "bwip-js/node";
import { loadSharp } from "#lib/engines/image/open.ts";
import type { SavedImage } from "#lib/engines/image/save.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { parseColor } from "#lib/media/color.ts";

/** Draws barcodes as vectors with bwip-js, in a worker. */

/** A barcode without its size and colors. */
export interface BarcodeSymbol {
  /** The name of the type in bwip-js. */
  readonly encoder: string;
  /** The label of the type, for messages. */
  readonly label: string;
  readonly text: string;
  readonly options?: Omit<RenderOptions, "bcid" | "text"> & {
    /** Error correction, in the terms of the type. bwip-js declares options of all types only. */
    readonly eclevel?: string | number;
  };
  /** Units of the drawing for one module, which is the thinnest bar or one square. */
  readonly moduleUnits: number;
}

export interface SymbolStyle {
  readonly format: "png" | "svg";
  /** Width of the image in pixels, margin included; undefined for some pixels per module. */
  readonly size?: number | undefined;
  /** Modules around the symbol. */
  readonly margin: number;
  /** The color of the bars as `#rrggbb` or another form of `parseColor`. */
  readonly color: string;
  readonly background: string;
}

/** Pixels for one unit if no size is given. */
const defaultScale = 4;

/** The highest image. Only linear codes of few bars are higher than wide. */
const maxHeight = 16_383;

/**
 * Draws `symbol` to an output. In a PNG, a module is a whole number of pixels, so that all edges are
 * sharp; the margin takes the rest. Throws `JobError` (`unsupported_type`, `too_complex`) if the type
 * cannot hold the text, or if the size is too small for it.
 */
export async function drawSymbol(
  symbol: BarcodeSymbol,
  style: SymbolStyle,
  work: WorkFolder,
): Promise<SavedImage> {
  const drawing = await encode(symbol);
  const margin = style.margin * symbol.moduleUnits;
  const totalWidth = drawing.width + 2 * margin;
  const totalHeight = drawing.height + 2 * margin;
  const width = style.size ?? Math.ceil(totalWidth * defaultScale);
  const scale = style.format === "png" ? Math.floor(width / totalWidth) : width / totalWidth;
  if (scale === 0) {
    const message = `\`size\` is too small for this text. It needs at least ${Math.ceil(totalWidth)} pixels.`;
    throw new JobError("too_complex", message);
  }
  const isSquare = drawing.width === drawing.height;
  const height = isSquare ? width : Math.ceil(totalHeight * scale);
  if (height > maxHeight) throw new JobError("too_complex", "The barcode would be too high.");
  const left = (width - drawing.width * scale) / 2;
  const top = (height - drawing.height * scale) / 2;
  const place = style.format === "png" ? Math.floor : (value: number) => value;
  const transform = `translate(${place(left)} ${place(top)}) scale(${scale})`;
  const { css, opacity } = describeColor(style.background);
  const bars = describeColor(style.color);
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" shape-rendering="crispEdges">`,
    `<rect width="${width}" height="${height}" fill="${css}" fill-opacity="${opacity}"/>`,
    `<g fill="${bars.css}" opacity="${bars.opacity}" transform="${transform}">`,
    // Squares have no color of their own, bars and digits are black.
    drawing.paths.replaceAll("#000000", bars.css),
    "</g></svg>\n",
  ].join("\n");
  const output = work.output(style.format);
  if (style.format === "svg") await writeNew(output.path, svg);
  else {
    const sharp = await loadSharp();
    await sharp(Buffer.from(svg)).png({ compressionLevel: 9 }).toFile(output.path);
  }
  return { ...output, width, height };
}

function describeColor(color: string): { css: string; opacity: number } {
  const { red, green, blue, alpha } = parseColor(color);
  const hex = [red, green, blue].map((channel) => channel.toString(16).padStart(2, "0"));
  return { css: `#${hex.join("")}`, opacity: alpha };
}

/** The paths of a symbol, in black, without margin. */
async function encode({ encoder, label, text, options }: BarcodeSymbol) {
  const svg = await draw(label, {
    ...options,
    bcid: encoder,
    text,
    scale: 1,
    paddingwidth: 0,
    paddingheight: 0,
  });
  const [head = "", width = 0, height = 0] =
    /^<svg viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*>/.exec(svg) ?? [];
  const paths = svg.slice(head.length, svg.lastIndexOf("</svg>")).trim();
  return { width: Number(width), height: Number(height), paths };
}

const maxMessageLength = 200;

async function draw(label: string, options: RenderOptions): Promise<string> {
  // The encoders of all types are large, and only workers need them.
  const { toSVG } = await import("bwip-js/node");
  try {
    return toSVG(options);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : `${cause}`;
    // Such as "bwipp.ean13badCheckDigit#6915: Incorrect EAN-13 check digit provided".
    const [, code = "", reason = ""] = /^bwipp\.(\w+)#\d+: (.+)$/.exec(message) ?? [];
    if (!code) throw cause;
    const isTooLong = /NoValidSymbol|tooLong|badLength/i.test(code);
    const detail = reason.replace(/[^\w ,.()-]/g, "").slice(0, maxMessageLength);
    const text = `The text does not fit the type ${label}: ${detail}.`;
    throw new JobError(isTooLong ? "too_complex" : "unsupported_type", text, { cause });
  }
}
