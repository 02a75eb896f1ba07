import { z } from "zod";

/** What the functions of the worker return. */

const boxSchema = z.object({
  left: z.number(),
  top: z.number(),
  width: z.number(),
  height: z.number(),
});

export const cleanedSchema = z.object({
  strings: z.number(),
  attachments: z.boolean(),
  xfa: z.boolean(),
});

export const redactedSchema = z.object({
  areas: z.array(z.object({ page: z.number(), box: boxSchema })),
  pictures: z.array(z.number()),
  matched: z.number(),
  /** Regions that are on none of their pages. */
  outside: z.number(),
});

export const remainingSchema = z.object({ pages: z.array(z.number()), is_in_objects: z.boolean() });

export type Cleaned = z.output<typeof cleanedSchema>;

export type RedactedPages = z.output<typeof redactedSchema>;
