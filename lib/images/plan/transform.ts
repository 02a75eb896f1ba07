import { type Box, roundToEven, type Size } from "./size.ts";

/** How a thumbor URL cuts a part out of a picture and resizes it, rounded as thumbor rounds. Reads no pixels. */

export interface Corners {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** What stays in the picture: the center of a rectangle in pixels of the source, which counts as much as its area. */
export interface FocalPoint extends Size {
  readonly x: number;
  readonly y: number;
  readonly origin: "Explicit" | "Original Extraction";
}

/** Pixels; 0 follows from the other side, `orig` is the side of the source. */
export type RequestedSide = number | "orig";

interface RequestedSize {
  readonly width: RequestedSide;
  readonly height: RequestedSide;
}

export interface Transform extends RequestedSize {
  readonly fit: "fill" | "stretch" | "fit-in" | "full-fit-in";
  /** Whether width and height are swapped for a source of the other orientation. */
  readonly isAdaptive: boolean;
  /** Whether no side becomes longer than that of the source. */
  readonly noUpscale: boolean;
  /** Borders of the color in a corner are cut off, up to this distance of colors. */
  readonly trim: {
    readonly corner: "top-left" | "bottom-right";
    readonly tolerance: number;
  } | null;
  /** A part of the source, in pixels before `trim`. */
  readonly box: Corners | null;
  readonly horizontal: "left" | "center" | "right";
  readonly vertical: "top" | "middle" | "bottom";
  /** Whether the part that attracts attention is kept, if there are no focal points. */
  readonly isSmart: boolean;
  readonly focalPoints: readonly FocalPoint[];
}

/** What `trim` has left of a picture. */
export interface Trimmed {
  readonly original: Size;
  readonly left: number;
  readonly top: number;
}

export interface Focus extends Size {
  readonly x: number;
  readonly y: number;
  readonly weight: number;
  readonly origin: FocalPoint["origin"] | "alignment";
}

export interface TransformSteps {
  /** The part between the corners of the URL. Null if it is all. */
  readonly box: Box | null;
  /** The size of the part of it that is resized, which `placeCrop` places. Null if it is all. */
  readonly crop: Size | null;
  readonly focus: readonly Focus[];
  readonly result: Size;
  /** The size that filters take as that of the URL; 0 is that of the picture. */
  readonly requested: Size;
}

/** The steps for a source of this size, upright and trimmed. */
export function planTransform(
  source: Size,
  transform: Transform,
  trimmed: Trimmed = { original: source, left: 0, top: 0 },
): TransformSteps {
  const box = placeBox(source, transform.box, trimmed);
  const { width, height } = box ?? source;
  const part = { width, height };
  const requested = limitRequested(transform, trimmed.original);
  const target = findTarget(part, requested);
  const steps = { box, crop: null, focus: findFocus(part, transform, box) };
  if (transform.fit === "fit-in" || transform.fit === "full-fit-in") {
    return { ...steps, ...fitIn(part, requested, target, transform) };
  }
  return {
    ...steps,
    crop: transform.fit === "fill" ? planCrop(part, target) : null,
    result: target,
    requested: resolveSize(requested, part),
  };
}

/** thumbor ignores a part that is outside of the picture. */
function placeBox(source: Size, box: Corners | null, { left: x, top: y }: Trimmed): Box | null {
  if (!box) return null;
  const limit = (value: number, side: number) => Math.min(Math.max(value, 0), side);
  const left = limit(box.left - x, source.width);
  const top = limit(box.top - y, source.height);
  const width = limit(box.right - x, source.width) - left;
  const height = limit(box.bottom - y, source.height) - top;
  return width > 0 && height > 0 ? { left, top, width, height } : null;
}

function limitRequested({ width, height, noUpscale }: Transform, original: Size): RequestedSize {
  const limit = (side: RequestedSide, most: number) =>
    noUpscale && side !== "orig" ? Math.min(side, most) : side;
  return { width: limit(width, original.width), height: limit(height, original.height) };
}

function resolveSize({ width, height }: RequestedSize, source: Size): Size {
  return {
    width: width === "orig" ? source.width : width,
    height: height === "orig" ? source.height : height,
  };
}

function findTarget(source: Size, requested: RequestedSize): Size {
  const { width, height } = resolveSize(requested, source);
  if (width === 0 && height === 0) return source;
  return {
    width: width || atLeastOne((height * source.width) / source.height),
    height: height || atLeastOne((width * source.height) / source.width),
  };
}

const atLeastOne = (side: number) => Math.max(1, roundToEven(side));

function fitIn(
  source: Size,
  requested: RequestedSize,
  target: Size,
  { fit, isAdaptive }: Pick<Transform, "fit" | "isAdaptive">,
): Pick<TransformSteps, "result" | "requested"> {
  const orientation = ({ width, height }: Size) => Math.sign(width - height);
  if (isAdaptive && orientation(source) * orientation(target) === -1) {
    const turned = { width: requested.height, height: requested.width };
    const swapped = { width: target.height, height: target.width };
    return fitIn(source, turned, swapped, { fit, isAdaptive: false });
  }
  const wanted = resolveSize(requested, source);
  const isSmaller = target.width >= source.width && target.height >= source.height;
  if (fit === "fit-in" && isSmaller) return { result: source, requested: wanted };
  const across = source.width / target.width;
  const down = source.height / target.height;
  const keepsWidth = fit === "fit-in" ? across >= down : across <= down;
  // As in thumbor, halves become larger.
  const round = (side: number) => atLeastOne(side + 1e-5);
  const result = keepsWidth
    ? { width: target.width, height: round((source.height * target.width) / source.width) }
    : { width: round((source.width * target.height) / source.height), height: target.height };
  return {
    result,
    requested: {
      width: Math.max(wanted.width, result.width),
      height: Math.max(wanted.height, result.height),
    },
  };
}

/** The size of the part that is resized. Null if the ratios are the same but for 1 %. */
function planCrop(source: Size, target: Size): Size | null {
  const ratio = ({ width, height }: Size) => roundToEven((width / height) * 100);
  if (ratio(source) === ratio(target)) return null;
  if (target.width / source.width > target.height / source.height) {
    const height = atLeastOne((source.width * target.height) / target.width);
    return { width: source.width, height };
  }
  const width = Math.max(1, Math.ceil((target.width * source.height) / target.height));
  return { width, height: source.height };
}

/** Where a part of this size is, as near to the center of the focus as possible. */
export function placeCrop(source: Size, crop: Size, focus: readonly Focus[]): Box {
  const total = focus.reduce((sum, { weight }) => sum + weight, 0);
  const place = (axis: "x" | "y", length: number, whole: number) => {
    const sum = focus.reduce((before, point) => before + point[axis] * point.weight, 0);
    const start = Math.floor(sum / total) - length / 2;
    return roundToEven(Math.min(Math.max(start, 0), whole - length));
  };
  const left = place("x", crop.width, source.width);
  const top = place("y", crop.height, source.height);
  return {
    left,
    top,
    width: Math.min(crop.width, source.width - left),
    height: Math.min(crop.height, source.height - top),
  };
}

const shares = { left: 0, center: 0.5, right: 1, top: 0, middle: 0.5, bottom: 1 };

/** The focal points in the part, or the alignment. */
function findFocus(part: Size, transform: Transform, box: Box | null): Focus[] {
  const { left, top, width, height } = box ?? { left: 0, top: 0, ...part };
  const isInside = ({ x, y }: FocalPoint) =>
    !box || (x >= left && x <= left + width && y >= top && y <= top + height);
  const points = transform.focalPoints.filter(isInside).map((point) => ({
    ...point,
    x: point.x - left,
    y: point.y - top,
    weight: point.width * point.height,
  }));
  if (points.length > 0) return points;
  const x = Math.trunc(part.width * shares[transform.horizontal]);
  const y = Math.trunc(part.height * shares[transform.vertical]);
  return [{ x, y, width: 1, height: 1, weight: 1, origin: "alignment" }];
}

/** Whether the content decides what is kept. */
export function isSmartCrop({ isSmart }: Transform, { crop, focus }: TransformSteps): boolean {
  return isSmart && crop !== null && focus[0]?.origin === "alignment";
}
