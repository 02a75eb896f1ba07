import { z } from "zod";
import { isGain, parseGain } from "#lib/operations/fields/index.ts";

/** A gain for each file, separated by commas. */
export const volumesField = z
  .string()
  .max(500)
  .refine((text) => split(text).every(isGain), {
    error: "must be factors from 0 to 100, or decibels such as -6dB, separated by commas",
  })
  .optional()
  .meta({
    description:
      "The change of volume of each file, in their order, separated by commas: factors from 0 to 100, or decibels, such as 1,0.5 or 0dB,-6dB. The default for each is 1.",
  });

/** Factors, in the order of the files. */
export function parseVolumes(text: string | undefined): number[] {
  return text === undefined ? [] : split(text).map(parseGain);
}

function split(text: string): (string | number)[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .map((one) => (/^\d{1,3}(?:\.\d{1,6})?$/.test(one) ? Number(one) : one));
}
