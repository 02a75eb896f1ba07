import { escapeText } from "#lib/formats/markup/escape.ts";
import { parseColor } from "#lib/media/color.ts";
import { inputOptions, loadSharp } from "./open.ts";

/** Rasterizes text with Pango, in a worker: all scripts, right-to-left text, color emoji. */

export interface TextOptions {
  /** Plain text without markup. Line breaks are kept. */
  readonly text: string;
  /** The font size in pixels per em. */
  readonly fontSize: number;
  /** The color as `#rgb`, `#rrggbb`, `#rrggbbaa` or `0x…`. Emoji keep their own colors. */
  readonly color: string;
  /** The opacity from 0 to 1, which is multiplied with the alpha of the color. */
  readonly opacity: number;
  /**
   * The longest line in pixels. Longer lines are wrapped. If the text still does not fit, its size
   * is reduced.
   */
  readonly maxWidth: number;
  readonly maxHeight: number;
  /** Alignment of lines of different lengths. */
  readonly align?: "left" | "center" | "right";
}

/** RGBA, not premultiplied, cropped to the visible pixels of the text. */
export interface TextRaster {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** The maximum size of the raster; larger text is reduced. */
const maxRasterPixels = 32_000_000;

/** The font size from which Pango searches for the one that fits; small for fine steps. */
const fittingSize = 4;

/** The resolution at which 1 pt is 1 px. */
const dpi = 72;

/**
 * Rasterizes `options.text` to at most `maxWidth` × `maxHeight`. Undefined if nothing is visible,
 * for example for whitespace.
 */
export async function rasterizeText(options: TextOptions): Promise<TextRaster | undefined> {
  if (options.text.trim() === "") return undefined;
  const box = limitBox(options.maxWidth, options.maxHeight);
  const raster = await rasterizeToFit(options, box);
  const trimmed = raster && trim(raster);
  const fitted = trimmed && (await shrink(trimmed, box));
  return fitted && applyOpacity(fitted, options.opacity * parseColor(options.color).alpha);
}

interface Box {
  readonly width: number;
  readonly height: number;
}

function limitBox(maxWidth: number, maxHeight: number): Box {
  const width = Math.max(1, Math.floor(maxWidth));
  const height = Math.max(1, Math.floor(maxHeight));
  const ratio = Math.sqrt(Math.min(1, maxRasterPixels / (width * height)));
  return { width: Math.ceil(width * ratio), height: Math.ceil(height * ratio) };
}

const fits = (raster: Box, box: Box) => raster.width <= box.width && raster.height <= box.height;

async function rasterizeToFit(options: TextOptions, box: Box): Promise<TextRaster | undefined> {
  const atFullSize = () => render(options, options.fontSize, { width: box.width, dpi });
  const bounded = worstCasePixels(options, box) <= maxRasterPixels;
  const natural = bounded ? await atFullSize() : undefined;
  if (natural ? fits(natural, box) : bounded) return natural;
  const fitted = await render(options, fittingSize, box);
  if (fitted && (fitted.dpi * fittingSize) / dpi < options.fontSize) return fitted;
  if (fitted) return natural ?? atFullSize();
  return natural ?? render(options, fittingSize, { width: box.width, dpi });
}

/** Assumes 1.5 em for the widest letters and 2 em for a line with marks above and below. */
function worstCasePixels({ text, fontSize }: TextOptions, box: Box): number {
  const letter = fontSize * 1.5;
  const lines = text.split("\n");
  const wrapped = lines.map((line) => Math.ceil((line.length * letter) / Math.max(1, box.width)));
  const count = wrapped.reduce((sum, rows) => sum + Math.max(1, rows), 0);
  const width = Math.min(Math.max(box.width, letter), text.length * letter);
  return width * Math.min(count, text.length + lines.length) * fontSize * 2;
}

async function render(
  { text, color, align = "left" }: TextOptions,
  fontSize: number,
  layout: { width: number; height?: number; dpi?: number },
): Promise<(TextRaster & { dpi: number }) | undefined> {
  const sharp = await loadSharp();
  const { red, green, blue } = parseColor(color);
  const hex = [red, green, blue].map((channel) => channel.toString(16).padStart(2, "0")).join("");
  // Pango adds hyphens if it breaks a line within a word. The text does not contain them.
  const attributes = `foreground="#${hex}" insert_hyphens="false"`;
  const markup = `<span ${attributes}>${escapeText(text)}</span>`;
  const font = `Noto Sans ${fontSize}`;
  const input = { text: markup, font, rgba: true, wrap: "word-char", align, ...layout } as const;
  try {
    const rendered = await sharp({ ...inputOptions, text: input })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, textAutofitDpi = dpi } = rendered.info;
    return { data: rendered.data, width, height, dpi: textAutofitDpi };
  } catch (error) {
    // Invisible characters that JavaScript does not trim, such as U+200B, or a size below one
    // pixel.
    if (error instanceof Error && error.message.includes("no text to render")) return undefined;
    throw error;
  }
}

function trim({ data, width, height }: TextRaster): TextRaster | undefined {
  let left = width;
  let right = -1;
  let top = height;
  let bottom = -1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (data[(y * width + x) * 4 + 3] === 0) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  }
  if (bottom < 0) return undefined;
  const size = { width: right - left + 1, height: bottom - top + 1 };
  const cut = Buffer.alloc(size.width * size.height * 4);
  for (let y = 0; y < size.height; y++) {
    const start = ((top + y) * width + left) * 4;
    data.copy(cut, y * size.width * 4, start, start + size.width * 4);
  }
  return { data: cut, ...size };
}

/** Scales the raster down if the text does not fit even in the smallest font size. */
async function shrink(raster: TextRaster, box: Box): Promise<TextRaster> {
  if (fits(raster, box)) return raster;
  const sharp = await loadSharp();
  const { width, height } = raster;
  const { data, info } = await sharp(raster.data, { raw: { width, height, channels: 4 } })
    .resize({ width: box.width, height: box.height, fit: "inside" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

function applyOpacity(raster: TextRaster, opacity: number): TextRaster {
  if (opacity >= 1) return raster;
  for (let index = 3; index < raster.data.length; index += 4) {
    raster.data[index] = Math.round((raster.data[index] ?? 0) * opacity);
  }
  return raster;
}
