import { z } from "zod";
import { maxMetadataLength, maxMetadataValues } from "./metadata-limits.ts";

const storedText = (max: number) =>
  z
    .string()
    .max(max, `must have values of at most ${max} characters`)
    .refine(
      (text) => text.isWellFormed() && !text.includes("\0"),
      "must be valid text without NUL",
    );

/** Data that the client attaches to a job. */
export const metadataSchema = z
  .record(
    storedText(maxMetadataLength),
    storedText(maxMetadataLength),
    "must be an object of text values",
  )
  .refine(
    (values) => Object.keys(values).length <= maxMetadataValues,
    `must have at most ${maxMetadataValues} values`,
  )
  .meta({
    maxProperties: maxMetadataValues,
    description: `Your own data, at most ${maxMetadataValues} text values of ${maxMetadataLength} characters. The job and its webhook contain it.`,
  });
