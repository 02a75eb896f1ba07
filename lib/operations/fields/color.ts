import { z } from "zod";

export { parseColor, type Rgba } from "#lib/media/color.ts";

// No flag: JSON Schema patterns have none, and this one is shown there.
const colorPattern = /^(?:#|0[xX])(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/;

const syntax = "Hex color: #rgb, #rrggbb, #rrggbbaa or 0xRRGGBB.";

const field = z.string().regex(colorPattern, "must be a hex color such as #ffffff");

/** A field for a color as `#rgb`, `#rrggbb`, `#rrggbbaa` or `0xRRGGBB`. */
export function color(initial: string) {
  return field.default(initial).meta({ description: syntax, control: "color" });
}

/** A color that may be left out; `fallback` says what is used then, and ends with a period. */
export function optionalColor(fallback: string) {
  return field.optional().meta({ description: `${syntax} ${fallback}`, control: "color" });
}
