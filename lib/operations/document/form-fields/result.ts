import { z } from "zod";
import type { FieldType } from "#lib/formats/pdf/forms/describe-field.ts";
import { boxResult } from "../../result-fields.ts";

/** What document/form-fields reports of a field. */

// Not imported as a value: the module loads the PDF library.
const fieldTypes = [
  "text",
  "checkbox",
  "radio",
  "dropdown",
  "list",
  "button",
  "signature",
  "unknown",
] as const satisfies readonly FieldType[];

const valueResult = (description: string) =>
  z
    .union([z.string(), z.boolean(), z.array(z.string())])
    .nullable()
    .describe(description);

const pageResult = z.number().int().nullable().describe("The page, from 1.");
const placeResult = boxResult("Its place in points, from the top left of the page.").nullable();

export const fieldResult = z.strictObject({
  name: z.string().describe("The full name, which `values` of fill-form takes."),
  type: z.enum(fieldTypes),
  label: z.string().nullable().describe("The name for people."),
  value: valueResult("Text, the chosen options, or true and false."),
  default: valueResult("The value of the empty form."),
  options: z
    .array(z.strictObject({ value: z.string(), label: z.string() }))
    .optional()
    .describe("Of a radio group, a dropdown or a list."),
  required: z.boolean(),
  read_only: z.boolean(),
  multiline: z.boolean().optional().describe("Whether a text field has several lines."),
  multiple: z.boolean().optional().describe("Whether a list takes several options."),
  editable: z.boolean().optional().describe("Whether a dropdown takes other text."),
  max_length: z.number().int().optional().describe("Of a text field, in characters."),
  page: pageResult,
  box: placeResult,
  widgets: z
    .array(z.strictObject({ page: pageResult, box: placeResult, option: z.string().optional() }))
    .describe("All places of the field."),
});
