import { z } from "zod";

const scale = "Quality from 1 (smallest file) to 100 (best quality)";

const field = z.number().int().min(1).max(100);

/** A field for the quality of a lossy encoder, from 1 to 100. */
export function quality(initial: number) {
  return field.default(initial).meta({ description: `${scale}.`, control: "slider" });
}

/** A quality that may be left out. `more` ends the description, and says what is used then. */
export function optionalQuality(more = ".") {
  return field.optional().meta({ description: `${scale}${more}`, control: "slider" });
}
