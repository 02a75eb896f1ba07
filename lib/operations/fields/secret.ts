import { z } from "zod";

/** A password of a file, which is never shown. `what` it does, in a sentence that ends with a period. */
export function secretText(what: string, { min = 1, max = 200 } = {}) {
  return z
    .string()
    .min(min)
    .max(max)
    .refine((text) => text.isWellFormed() && !text.includes("\0"), "must be valid text")
    .meta({ description: what, control: "secret", secret: true });
}
