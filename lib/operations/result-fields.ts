import { z } from "zod";

/** Fields that the results of several operations have. */

/** A number of seconds. `description` ends without a period. */
export const secondsResult = (description: string) =>
  z.number().describe(`${description}, in seconds.`);

/** A number of things, such as pages. */
export const countResult = (description: string) => z.number().int().describe(description);

/** A rectangle. `description` names what it is of and its unit. */
export const boxResult = (description: string) =>
  z
    .strictObject({ left: z.number(), top: z.number(), width: z.number(), height: z.number() })
    .describe(description);

/** A part of a video or audio file, with its duration. */
export const intervalResult = z.strictObject({
  start: secondsResult("Its start"),
  end: secondsResult("Its end"),
  duration: secondsResult("Its duration"),
});

/** The size of a picture in pixels. `description` ends with a period. */
export const sizeResult = (description: string) =>
  z.strictObject({ width: z.number().int(), height: z.number().int() }).describe(description);

/** The loudness of audio by EBU R 128. */
export const loudnessResult = z.strictObject({
  integrated_lufs: z
    .number()
    .nullable()
    .describe("Integrated loudness, in LUFS; null for silence."),
  loudness_range_lu: z.number().nullable().describe("Loudness range, in LU."),
  true_peak_dbtp: z.number().nullable().describe("True peak, in dBTP."),
});

/** What was measured, as `loudnessResult`; undefined for a track that is not there. */
export function toLoudnessResult(
  measured:
    | {
        readonly integrated?: number | undefined;
        readonly range?: number | undefined;
        readonly truePeak?: number | undefined;
      }
    | undefined,
): z.infer<typeof loudnessResult> {
  return {
    integrated_lufs: measured?.integrated ?? null,
    loudness_range_lu: measured?.range ?? null,
    true_peak_dbtp: measured?.truePeak ?? null,
  };
}

/** Tags as a file has them: names and values of many kinds. */
export const tagsResult = (description: string) =>
  z.record(z.string(), z.unknown()).describe(description);
