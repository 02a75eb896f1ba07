import { z } from "zod";

/** What was removed or changed visibly, as numbers. */
export const droppedSchema = z.object({
  /** Scripts, and actions that start programs, play media or change the document. */
  actions: z.number().int(),
  annotations: z.number().int(),
  undrawn: z.number().int(),
  attachments: z.number().int(),
  layers: z.boolean(),
});

export type Dropped = z.infer<typeof droppedSchema>;

/** What decides how a PDF becomes PDF/A, and what is written into it again. */
export const factsSchema = z.object({
  /** It has colors that sRGB, the only output intent, does not define. */
  hasOtherColors: z.boolean(),
  hasTransparency: z.boolean(),
  isTagged: z.boolean(),
  hasForm: z.boolean(),
  language: z.string().optional(),
  /** The entries of the information dictionary; dates are in ISO 8601 without fractions, in UTC. */
  info: z.record(z.string(), z.string()),
  /** What its conversion drops. */
  dropped: droppedSchema,
});

export type ArchivalFacts = z.infer<typeof factsSchema>;
