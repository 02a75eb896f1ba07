import { z } from "zod";

/** A day. No input is longer. */
const maxSeconds = 86_400;

/** The pattern of `HH:MM:SS` or `MM:SS`, with an optional fraction of a second. */
const clockPattern = /^(?:\d{1,2}:[0-5]\d|\d{1,4}):[0-5]\d(?:\.\d{1,6})?$/;

const clockTime = z
  .string()
  .regex(clockPattern)
  .refine((text) => parseTime(text) <= maxSeconds)
  .meta({ examples: ["00:01:30.5"] });

/**
 * A time in a video or audio file, from its start: seconds, or text `HH:MM:SS[.mmm]`. It parses to
 * seconds.
 */
export function time(description: string): z.ZodType<number, number | string> {
  const field = z
    .union([z.number().min(0).max(maxSeconds), clockTime])
    // Not a transform: JSON Schema would then have no default.
    .overwrite(parseTime)
    .meta({ description, control: "time", unit: "s" });
  // The type of `overwrite` does not say that text becomes a number.
  return field as unknown as z.ZodType<number, number | string>;
}

/** Parses a time into seconds, such as 90.5 for `01:30.5`. */
function parseTime(value: number | string): number {
  if (typeof value === "number") return value;
  const [hours, minutes, seconds] = [0, ...value.split(":").map(Number)].slice(-3);
  return (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0);
}
