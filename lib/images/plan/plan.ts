import type { PixelFilter } from "./pixel-filters.ts";
import type { Transform } from "./transform.ts";

/** How a picture is made of its source: what a URL asks for, whichever grammar it has. JSON only. */

/** The formats that a picture can be written in. */
export const pictureFormats = [
  "jpeg",
  "png",
  "webp",
  "avif",
  "gif",
  "tiff",
  "jxl",
  "heic",
  "bmp",
  "ico",
] as const;
export type PictureFormat = (typeof pictureFormats)[number];

export const resizeTypes = ["fit", "fill", "fill-down", "force", "auto"] as const;
export type ResizeType = (typeof resizeTypes)[number];

/** Edges and corners by imgproxy's names, such as `nowe` for the top left corner. */
export const edgeGravities = [
  "ce",
  "no",
  "so",
  "ea",
  "we",
  "noea",
  "nowe",
  "soea",
  "sowe",
] as const;
export type EdgeGravity = (typeof edgeGravities)[number];

/**
 * Where a part is taken from, or where an image is placed. `x` and `y` are offsets in pixels, or below 1
 * shares of the image; for a focus point (`fp`) the point as shares. `sm` is the part that attracts
 * attention.
 */
export interface Gravity {
  readonly type: EdgeGravity | "sm" | "fp";
  readonly x: number;
  readonly y: number;
}

export const centerGravity: Gravity = { type: "ce", x: 0, y: 0 };

export interface RgbColor {
  readonly r: number;
  readonly g: number;
  readonly b: number;
}

export interface Extension {
  readonly enabled: boolean;
  readonly gravity: Gravity;
}

export interface Trim {
  readonly threshold: number;
  /** The color that is cut off; by default that of the pixel in the top left corner. */
  readonly color: RgbColor | null;
  /** Whether as much is cut off on the left as on the right, or at the top as at the bottom. */
  readonly equalHorizontal: boolean;
  readonly equalVertical: boolean;
}

export interface Watermark {
  /** From 0 to 1; 0 is no watermark. */
  readonly opacity: number;
  /** `re` repeats it over the whole picture. */
  readonly position: EdgeGravity | "re";
  readonly x: number;
  readonly y: number;
  /** The size as a share of the picture; 0 is its own size. */
  readonly scale: number;
  /** The URL of the watermark's image; null is that of the installation. */
  readonly url: string | null;
}

export interface ImagePlan {
  readonly resize: ResizeType;
  /** Pixels; 0 follows from the other side, or is the size of the source. */
  readonly width: number;
  readonly height: number;
  readonly minWidth: number;
  readonly minHeight: number;
  readonly zoomX: number;
  readonly zoomY: number;
  readonly dpr: number;
  readonly enlarge: boolean;
  readonly gravity: Gravity;
  readonly extend: Extension;
  readonly extendAspectRatio: Extension;
  /** A part of the source in pixels, or below 1 as a share; 0 is the whole side. */
  readonly crop: {
    readonly width: number;
    readonly height: number;
    readonly gravity: Gravity | null;
  };
  readonly trim: Trim | null;
  readonly padding: {
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
    readonly left: number;
  };
  /** Of a PDF, a TIFF or an animation: the page, from 0. */
  readonly page: number;
  /** Of a video: the time of the frame, in seconds. */
  readonly second: number;
  readonly autoRotate: boolean;
  /** Degrees, clockwise: a multiple of 90. */
  readonly rotate: number;
  readonly flipX: boolean;
  readonly flipY: boolean;
  readonly background: RgbColor | null;
  /** Standard deviations in pixels; 0 is none. */
  readonly blur: number;
  readonly sharpen: number;
  /** The side of a square in pixels; 0 and 1 are none. */
  readonly pixelate: number;
  /** What thumbor's URLs ask for, in place of all sizes and parts above. */
  readonly transform: Transform | null;
  /** What thumbor's filters do after it. */
  readonly filters: readonly PixelFilter[];
  readonly watermark: Watermark | null;
  readonly stripMetadata: boolean;
  readonly keepCopyright: boolean;
  readonly stripColorProfile: boolean;
  /** From 1 to 100; 0 is that of the format. */
  readonly quality: number;
  readonly formatQuality: Readonly<Partial<Record<PictureFormat, number>>>;
  /** The most bytes of a lossy picture; 0 is no limit. */
  readonly maxBytes: number;
  /** Null: that of `Accept`, or of the source. */
  readonly format: PictureFormat | null;
  /** Whether a PNG without transparency becomes a JPEG, unless `Accept` names another format. */
  readonly autoJpeg: boolean;
  /** Whether only the first frame of an animation is kept. */
  readonly isStill: boolean;
  /** Sources of these formats are sent as they are, unless another format is asked for. */
  readonly skipProcessing: readonly string[];
  /** Whether the source is sent as it is. */
  readonly raw: boolean;
  /** A text that only makes the URL another one. */
  readonly cacheBuster: string;
}

export const defaultPlan: ImagePlan = {
  resize: "fit",
  width: 0,
  height: 0,
  minWidth: 0,
  minHeight: 0,
  zoomX: 1,
  zoomY: 1,
  dpr: 1,
  enlarge: false,
  gravity: centerGravity,
  extend: { enabled: false, gravity: centerGravity },
  extendAspectRatio: { enabled: false, gravity: centerGravity },
  crop: { width: 0, height: 0, gravity: null },
  trim: null,
  padding: { top: 0, right: 0, bottom: 0, left: 0 },
  page: 0,
  second: 1,
  autoRotate: true,
  rotate: 0,
  flipX: false,
  flipY: false,
  background: null,
  blur: 0,
  sharpen: 0,
  pixelate: 0,
  transform: null,
  filters: [],
  watermark: null,
  stripMetadata: true,
  keepCopyright: true,
  stripColorProfile: true,
  quality: 0,
  formatQuality: {},
  maxBytes: 0,
  format: null,
  autoJpeg: false,
  isStill: false,
  skipProcessing: [],
  raw: false,
  cacheBuster: "",
};

/** What is asked for besides the pixels: it changes the response, but not the picture. */
export interface Delivery {
  /** The file name without an extension; undefined is that of the source. */
  readonly filename?: string;
  readonly isAttachment: boolean;
  /** The time in seconds since the epoch after which the URL is not valid; 0 is never. */
  readonly expires: number;
  /** How many seconds clients may keep the picture; undefined is as long as they want. */
  readonly maxAgeSeconds?: number;
}

/** The size and format of the source, or what thumbor would do with it. */
export type InfoKind = "source" | "operations";

/** What a path asks for. */
export interface PictureRequest {
  readonly plan: ImagePlan;
  readonly delivery: Delivery;
  /** The source as it is written, such as a URL or the id of an upload. */
  readonly source: string;
  /** What is asked for as JSON, in place of the picture. */
  readonly info: InfoKind | null;
}
