/** Filters of thumbor's URLs that change pixels, in the order of the URL. JSON only. */

export type CurvePoint = readonly [x: number, y: number];

export type PixelFilter =
  /** Percent of the largest value. */
  | { readonly name: "brightness"; readonly value: number }
  | { readonly name: "contrast"; readonly value: number }
  | { readonly name: "rgb"; readonly values: readonly [number, number, number] }
  /** A factor; 1 is no change. */
  | { readonly name: "saturation"; readonly factor: number }
  | { readonly name: "grayscale" }
  | { readonly name: "equalize" }
  /** Mixes the colors with another one, by percent for each channel. */
  | {
      readonly name: "colorize";
      readonly percents: readonly [number, number, number];
      readonly color: readonly [number, number, number];
    }
  /** The seed of the random numbers; 0 is any. */
  | { readonly name: "noise"; readonly amount: number; readonly seed: number }
  /** Curves for all channels, and for red, green and blue. Points are from 0 to 255. */
  | {
      readonly name: "curve";
      readonly all: readonly CurvePoint[];
      readonly channels: readonly [
        readonly CurvePoint[],
        readonly CurvePoint[],
        readonly CurvePoint[],
      ];
    }
  /** The kernel row by row, whose items are divided by the divisor. */
  | {
      readonly name: "convolution";
      readonly kernel: readonly number[];
      readonly columns: number;
      readonly divisor: number;
    }
  /** The kernel is cut off at the radius. */
  | { readonly name: "blur"; readonly radius: number; readonly sigma: number }
  /** By wavelets: differences of the size of the radius are enlarged most, of all colors or of the luma. */
  | {
      readonly name: "sharpen";
      readonly amount: number;
      readonly radius: number;
      readonly luminanceOnly: boolean;
    }
  | {
      readonly name: "round_corner";
      readonly radiusX: number;
      readonly radiusY: number;
      readonly color: readonly [number, number, number];
      readonly transparent: boolean;
    }
  | { readonly name: "flip"; readonly horizontal: boolean; readonly vertical: boolean }
  /** Degrees, clockwise: 90, 180 or 270. */
  | { readonly name: "rotate"; readonly angle: number }
  /** A factor of the size, from 0 to 1. */
  | { readonly name: "proportion"; readonly factor: number }
  /** A picture with both sides shorter than those of the URL is enlarged until one of them is as long. */
  | { readonly name: "upscale" }
  /** The picture is drawn over a color. */
  | { readonly name: "background_color"; readonly color: RgbaColor }
  /**
   * The picture is centered on one of the size of the URL: of a color, of the average of its colors, or of its own
   * pixels, stretched and blurred.
   */
  | {
      readonly name: "fill";
      readonly by: RgbaColor | "average" | "blur";
      /** Whether transparent pixels of the picture are filled, too. */
      readonly fillsTransparent: boolean;
    }
  /** A nine-patch image is stretched over the picture, whose markers may add padding. */
  | { readonly name: "frame"; readonly url: string }
  | PastedWatermark;

/** From 0 to 255 each. */
export type RgbaColor = readonly [red: number, green: number, blue: number, alpha: number];

export interface PastedWatermark {
  readonly name: "watermark";
  readonly url: string;
  readonly x: PastePosition;
  readonly y: PastePosition;
  /** Percent of the largest value that is taken off from each pixel's alpha. */
  readonly transparency: number;
  /** The largest width and height as shares of the picture; 0 is none. */
  readonly maxWidth: number;
  readonly maxHeight: number;
}

export type PastePosition =
  | "center"
  | "repeat"
  /** From the other side if `fromEnd`. The offset is in pixels, or in percent of the side. */
  | { readonly offset: number; readonly unit: "px" | "percent"; readonly fromEnd: boolean };

/** The URLs of the images that filters draw over the picture, each once. */
export function overlayUrls(filters: readonly PixelFilter[]): string[] {
  const urls = filters.flatMap((filter) =>
    filter.name === "watermark" || filter.name === "frame" ? [filter.url] : [],
  );
  return [...new Set(urls)];
}

/** Whether one of the filters makes pixels transparent. */
export function addsTransparency(filters: readonly PixelFilter[]): boolean {
  return filters.some(
    (filter) =>
      (filter.name === "round_corner" && filter.transparent) ||
      (filter.name === "fill" && typeof filter.by !== "string" && filter.by[3] < 255),
  );
}

/** Whether one of the filters draws something under transparent pixels. */
export function drawsUnder(filters: readonly PixelFilter[]): boolean {
  return filters.some(
    (filter) =>
      filter.name === "background_color" ||
      filter.name === "frame" ||
      (filter.name === "fill" && filter.fillsTransparent),
  );
}
