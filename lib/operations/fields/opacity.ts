import { z } from "zod";

/** A field for an opacity from 0, invisible, to 1, solid. */
export function opacity(initial: number) {
  return z
    .number()
    .min(0)
    .max(1)
    .default(initial)
    .meta({ description: "From 0 (invisible) to 1 (solid).", control: "slider" });
}
