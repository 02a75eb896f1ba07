import { z } from "zod";

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
  .record(storedText(500), storedText(500), "must be an object of text values")
  .refine((values) => Object.keys(values).length <= 16, "must have at most 16 values")
  .meta({
    maxProperties: 16,
    description:
      "Your own data, at most 16 text values of 500 characters. The job and its webhook contain it.",
  });
