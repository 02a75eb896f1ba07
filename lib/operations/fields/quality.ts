import { z } from "zod";

/** Quality of a lossy encoder, from 1 to 100. */
export function quality(initial: number) {
  return z.number().int().min(1).max(100).default(initial).meta({
    description: "Quality from 1 (smallest file) to 100 (best quality).",
    control: "slider",
  });
}
