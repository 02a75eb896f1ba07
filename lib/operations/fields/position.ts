import { z } from "zod";

export const positions = [
  "top-left",
  "top",
  "top-right",
  "left",
  "center",
  "right",
  "bottom-left",
  "bottom",
  "bottom-right",
] as const;

export type Position = (typeof positions)[number];

/** Distance from an overlay to the edge of the frame, as a share of the frame's shorter side. */
export const marginShare = 0.03;

/** One of nine positions in a frame. */
export function position(initial: Position) {
  return z
    .enum(positions)
    .default(initial)
    .meta({ description: "Position in the frame.", control: "position" });
}
