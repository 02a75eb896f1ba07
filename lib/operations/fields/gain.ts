import { z } from "zod";

/**
 * The range in dB, from a hundredth of a millionth, which is silence in 24 bits, to a hundred times
 * as loud.
 */
const decibelRange = { min: -160, max: 40 };

const maxFactor = 10 ** (decibelRange.max / 20);

const decibelPattern = /^([+-]?\d{1,3}(?:\.\d{1,4})?) ?[dD][bB]$/;

const decibels = z
  .string()
  .regex(decibelPattern, "must be decibels such as -3dB, or a factor such as 0.5")
  .refine(
    (text) => {
      const value = Number(decibelPattern.exec(text)?.[1]);
      return value >= decibelRange.min && value <= decibelRange.max;
    },
    { error: `must be from ${decibelRange.min}dB to ${decibelRange.max}dB` },
  )
  .meta({ examples: ["-3dB"] });

const syntax = z.union([z.number().min(0).max(maxFactor), decibels]);

/** Whether `value` is a gain: a factor, or text such as `-3dB`. */
export function isGain(value: number | string): boolean {
  return syntax.safeParse(value).success;
}

/** A change of volume: decibels such as `-3dB`, or a factor. It parses to the factor. */
export function gain(description: string): z.ZodType<number, number | string> {
  const field = syntax
    // Not a transform: JSON Schema would then have no default.
    .overwrite(parseGain)
    .meta({
      description: `${description} Decibels from -160dB to 40dB such as -3dB, or a factor from 0 (silence) to 100.`,
      control: "text",
    });
  // The type of `overwrite` does not say that text becomes a number.
  return field as unknown as z.ZodType<number, number | string>;
}

/** The factor: 0.708 for `-3dB`. */
export function parseGain(value: number | string): number {
  if (typeof value === "number") return value;
  return 10 ** (Number(decibelPattern.exec(value)?.[1]) / 20);
}
