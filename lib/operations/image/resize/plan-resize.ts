import type { Fit } from "../../fields/index.ts";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The wanted size in pixels; at least one of width and height. */
export interface ResizeRequest {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly fit: Fit;
  readonly enlarge: boolean;
}

export interface ResizePlan {
  /** The whole image after scaling. */
  readonly scaled: Size;
  /** The result: smaller than `scaled` if it is cropped, larger if it gets a border. */
  readonly canvas: Size;
}

/** How an image of `size`, as displayed, is resized. All sides are at least one pixel. */
export function planResize(size: Size, { width, height, fit, enlarge }: ResizeRequest): ResizePlan {
  const scales = [width, height].flatMap((side, index) =>
    side === undefined ? [] : [side / (index === 0 ? size.width : size.height)],
  );
  const isPartial = scales.length === 1;
  const wanted = { width: width ?? 0, height: height ?? 0 };
  if (fit === "fill" && !isPartial) {
    const canvas = enlarge ? wanted : smallerOf(wanted, size);
    return { scaled: canvas, canvas };
  }
  const fills = fit === "cover" || fit === "outside";
  const scale = fills ? Math.max(...scales) : Math.min(...scales);
  const bounded = enlarge ? scale : Math.min(1, scale);
  const scaled = scaleSize(size, bounded);
  if (isPartial || fit === "inside" || fit === "outside") return { scaled, canvas: scaled };
  if (fit === "contain") return { scaled: smallerOf(scaled, wanted), canvas: wanted };
  // A smaller image that must not grow is cut to the ratio.
  const canvas = smallerOf(scaleSize(wanted, bounded / scale), scaled);
  return { scaled, canvas };
}

function scaleSize({ width, height }: Size, scale: number): Size {
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

function smallerOf(one: Size, other: Size): Size {
  return {
    width: Math.min(one.width, other.width),
    height: Math.min(one.height, other.height),
  };
}
