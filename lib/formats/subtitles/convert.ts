import { detectEncoding } from "../text/detect-encoding.ts";
import { type AssStyle, parseAss, writeAss } from "./ass.ts";
import type { Cue, SubtitleFormat } from "./cues.ts";
import { sanitizeAss } from "./sanitize-ass.ts";
import { parseSrt, writeSrt } from "./srt.ts";
import { parseVtt, writeVtt } from "./vtt.ts";
import { wrapWideText } from "./wrap-text.ts";

const parsers = { srt: parseSrt, vtt: parseVtt, ass: parseAss } as const;
const writers = { srt: writeSrt, vtt: writeVtt, ass: writeAss } as const;

export class NoCuesError extends Error {}

export interface Converted {
  readonly text: string;
  readonly cues: number;
}

/**
 * Converts subtitles. ASS stays ASS with all its styles; all other conversions keep times, text, line
 * breaks, bold, italic, underlined and struck text, colors and alignment. Throws `NoCuesError` if there
 * is no text, and `TooManyCuesError`.
 */
export function convertSubtitles(
  text: string,
  from: SubtitleFormat,
  to: SubtitleFormat,
): Converted {
  const cues = readCues(text, from);
  const converted = from === "ass" && to === "ass" ? sanitizeAss(text) : writers[to](cues);
  return { text: converted, cues: cues.length };
}

/** How subtitles are drawn on frames. Undefined: as ASS says itself, or a default. */
export interface DrawingOptions {
  /** The size of the frame, in pixels. */
  readonly width: number;
  readonly height: number;
  /** The font size in pixels per em. */
  readonly fontSize?: number | undefined;
  /** The color as `#rrggbb`. */
  readonly color?: string | undefined;
  readonly opacity?: number | undefined;
  /** Where the text is, as on a numeric keypad. */
  readonly alignment?: number | undefined;
  /** The signal level of white, 0 to 1; below 1 in HDR. */
  readonly white: number;
  /** The color matrix of the video, by ffmpeg's name. */
  readonly matrix: string;
}

/** A line of the default font is at most 5 % of the shorter side high, as in broadcasting. */
const defaultFontShare = 0.055;

/** Subtitles as ASS that libass draws. Throws as `convertSubtitles` does. */
export function prepareDrawing(
  text: string,
  from: SubtitleFormat,
  options: DrawingOptions,
): Converted {
  const cues = readCues(text, from);
  const { width, height, white, matrix } = options;
  if (from === "ass") return { text: sanitizeAss(text, options), cues: cues.length };
  const dim = (color: string) => toDrawnColor(color, white, matrix);
  const fontSize =
    options.fontSize ?? Math.max(8, Math.round(Math.min(height, width) * defaultFontShare));
  const style: AssStyle = {
    width,
    height,
    fontSize,
    color: dim(options.color ?? "#ffffff"),
    opacity: options.opacity ?? 1,
    alignment: options.alignment ?? 2,
  };
  const drawn = cues.map((cue) => ({
    ...cue,
    spans: wrapWideText(cue.spans, (width * 0.88) / fontSize).map((span) =>
      span.color ? { ...span, color: dim(span.color) } : span,
    ),
  }));
  return { text: writeAss(drawn, style), cues: cues.length };
}

function readCues(text: string, from: SubtitleFormat): Cue[] {
  const cues = parsers[from](text);
  if (cues.length === 0) throw new NoCuesError("no cues");
  return cues;
}

/** The shares of red and blue in the luma (ITU-R BT.601, BT.709 and BT.2020). */
const lumaShares: Readonly<Record<string, readonly [red: number, blue: number]>> = {
  bt601: [0.299, 0.114],
  bt709: [0.2126, 0.0722],
  bt2020: [0.2627, 0.0593],
};

/**
 * ffmpeg draws in the matrix of BT.601 in every video. The color that it needs to get `color` in
 * `matrix`, as near as that is possible, at the level `white`.
 */
function toDrawnColor(color: string, white: number, matrix: string): string {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(
    (at) => Number.parseInt(color.slice(at, at + 2), 16) * white,
  );
  const drawn = lumaShares.bt601 ?? [0, 0];
  const [red, blue] = lumaShares[matrix] ?? drawn;
  const luma = red * r + (1 - red - blue) * g + blue * b;
  const cr = (r - luma) / (1 - red);
  const cb = (b - luma) / (1 - blue);
  const [drawnRed, drawnBlue] = drawn;
  const r2 = luma + cr * (1 - drawnRed);
  const b2 = luma + cb * (1 - drawnBlue);
  const g2 = (luma - drawnRed * r2 - drawnBlue * b2) / (1 - drawnRed - drawnBlue);
  const hex = (value: number) => Math.round(Math.min(255, Math.max(0, value))).toString(16);
  return `#${[r2, g2, b2].map((value) => hex(value).padStart(2, "0")).join("")}`;
}

/** Decodes text in the encoding that `detectEncoding` finds. */
export function decodeSubtitles(bytes: Uint8Array): {
  readonly text: string;
  readonly encoding: string;
} {
  const encoding = detectEncoding(bytes);
  return { text: clean(new TextDecoder(encoding).decode(bytes)), encoding };
}

/** Control characters show nothing, and end the text for some readers. */
function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
  return text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "").toWellFormed();
}
