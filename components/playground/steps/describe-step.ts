import { formatBytes } from "#components/format.ts";
import { toPreviewFile } from "#components/preview/output-file.ts";
import type { PreviewFile } from "#components/preview/preview-file.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import { sentValues } from "../form/values.ts";
import type { Step } from "./step.ts";

/** Longer values are shortened. */
const maxValueLength = 24;

/** The values of a step that differ from the defaults: "width 640, format webp". */
export function describeValues({ operation, values }: Step): string {
  return sentValues(operation.fields, values, "hidden")
    .map(([name, text]) => {
      const short = text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
      return `${name} ${short}`;
    })
    .join(", ");
}

/** The files of the last run by the keys of the steps that gave them. A step that was changed since has none. */
export function stepResults(
  sent: readonly Step[],
  now: readonly Step[],
  details: Pick<JobDetails, "job" | "steps"> | undefined,
): ReadonlyMap<number, PreviewFile> {
  const results = new Map<number, PreviewFile>();
  if (details?.job.status !== "completed") return results;
  for (const [index, step] of sent.entries()) {
    // A change of a step changes the files of those after it, too.
    if (now[index] !== step) break;
    const isLast = index === sent.length - 1;
    const output = isLast ? details.job.outputs[0] : details.steps[index]?.output;
    if (output) results.set(step.key, toPreviewFile(output));
  }
  return results;
}

/** Describes a result in a few words: `640 × 425, 43 kB`. */
export function describeResult({ width, height, bytes }: PreviewFile): string {
  return [width && height ? `${width} × ${height}` : undefined, formatBytes(bytes)]
    .filter(Boolean)
    .join(", ");
}
