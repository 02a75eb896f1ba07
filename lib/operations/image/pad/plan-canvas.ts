import { offsetIn, type Position, parseRatio } from "../../fields/index.ts";

interface PadRequest {
  readonly top?: number | undefined;
  readonly right?: number | undefined;
  readonly bottom?: number | undefined;
  readonly left?: number | undefined;
  readonly ratio?: string | undefined;
  readonly position: Position;
}

/** The size of the result in pixels, and where the image is in it. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
}

/** The canvas of an image of `size`, as it is displayed. */
export function planCanvas(
  size: { readonly width: number; readonly height: number },
  { top = 0, right = 0, bottom = 0, left = 0, ratio, position }: PadRequest,
): Canvas {
  if (ratio === undefined) {
    return { left, top, width: left + size.width + right, height: top + size.height + bottom };
  }
  const wanted = parseRatio(ratio);
  const frame = {
    width: Math.max(size.width, Math.round(size.height * wanted)),
    height: Math.max(size.height, Math.round(size.width / wanted)),
  };
  return { ...frame, ...offsetIn(frame, size, position) };
}
