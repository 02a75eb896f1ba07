import type { FormField } from "../form/form-field.ts";

/** The parameters of a box, in pixels. */
export const cropSides = ["left", "top", "width", "height"] as const;

/** Whether the operation has a box as four parameters. */
export function hasCropBox(fields: readonly FormField[]): boolean {
  return cropSides.every((side) =>
    fields.some(({ name, control }) => name === side && control.kind === "number"),
  );
}
