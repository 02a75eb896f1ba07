import { z } from "zod";

export const outlineEntry = z.strictObject({
  level: z.number().int().min(1).max(6),
  text: z.string(),
  page: z.number().int().min(1).optional().describe("The page or slide, from 1."),
});

/** What the worker reports of the document. */
export const reportSchema = z.object({
  outline: z.array(outlineEntry),
  emptyPages: z.array(z.number().int().positive()),
  equationPages: z.array(z.number().int().positive()),
  omitted: z.array(z.string()),
  needsCalculation: z.boolean(),
});
