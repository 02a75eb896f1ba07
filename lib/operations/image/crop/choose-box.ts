import { type Box, clipBox } from "#lib/engines/image/box.ts";
import { offsetIn, type Position, parseRatio } from "../../fields/index.ts";

interface CropRequest {
  readonly left?: number | undefined;
  readonly top?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly ratio?: string | undefined;
  readonly position: Position;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The part of an image of `size` to keep. Throws `JobError`: `empty` if it is outside of the image. */
export function chooseBox(size: Size, request: CropRequest): Box {
  const { ratio, left = 0, top = 0, width = 0, height = 0 } = request;
  if (ratio === undefined) return clipBox({ left, top, width, height }, size);
  const wanted = parseRatio(ratio);
  const box = {
    width: Math.max(1, Math.min(size.width, Math.round(size.height * wanted))),
    height: Math.max(1, Math.min(size.height, Math.round(size.width / wanted))),
  };
  return { ...offsetIn(size, box, request.position), ...box };
}
