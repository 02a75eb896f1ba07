import { formText } from "#components/code/snippets/request.ts";
import {
  type JobOptions,
  noOptions,
  optionFields,
  withoutPresignedUrl,
} from "../form/job-options.ts";
import { toOperations } from "./run-request.ts";
import type { Step } from "./step.ts";

/** The path of the playground with these steps and options filled in, without files and secrets. */
export function pathOfSteps(steps: readonly Step[], options: JobOptions = noOptions): string {
  const open = steps.map((step) => {
    const fields = step.operation.fields.filter(({ secret }) => !secret);
    return { ...step, operation: { ...step.operation, fields } };
  });
  const fields = {
    operations: toOperations(open, "hidden"),
    ...optionFields(withoutPresignedUrl(options)),
  };
  const query = new URLSearchParams(
    Object.entries(fields).map(([name, value]) => [name, formText(value)]),
  );
  return `/dashboard/playground?${query}`;
}
