import type { createTypeCheck } from "../form/check-type.ts";
import type { FormError } from "../form/form-error.ts";
import { type JobOptions, noOptions, optionFields } from "../form/job-options.ts";
import type { RunRequest } from "../form/send-run.ts";
import { providedSources, type Sources } from "../form/source.ts";
import { validateForm } from "../form/validate-form.ts";
import { jsonValues, sentValues } from "../form/values.ts";
import { validateOptions } from "../options/validate-options.ts";
import type { Step } from "./step.ts";

/** The form as it is sent. */
export interface SentForm {
  readonly steps: readonly Step[];
  readonly sources: Sources;
  readonly options: JobOptions;
}

/** The request of the form, or what is wrong with it. */
export function prepareRun(
  { steps, sources, options }: SentForm,
  maxFileBytes: number | null,
  takes: ReturnType<typeof createTypeCheck>,
): { readonly request: RunRequest | undefined } | { readonly error: FormError } {
  const error = validateSteps(steps, sources, maxFileBytes, takes) ?? validateOptions(options);
  return error ? { error } : { request: toRunRequest(steps, sources, options) };
}

/** The steps as the field `operations` of a chain. */
export function toOperations(
  steps: readonly Pick<Step, "operation" | "values">[],
  secrets: "shown" | "hidden",
): { type: string; params: Record<string, unknown> }[] {
  return steps.map(({ operation, values }) => ({
    type: operation.id,
    params: jsonValues(operation.fields, values, secrets),
  }));
}

/** What is wrong with the files, which the first step takes, or with the values of any step. */
export function validateSteps(
  steps: readonly Step[],
  sources: Sources,
  maxFileBytes: number | null,
  takes: ReturnType<typeof createTypeCheck>,
): FormError | undefined {
  for (const [index, { operation, values }] of steps.entries()) {
    const form = index === 0 ? operation : { ...operation, files: [] };
    const error = validateForm(form, values, sources, maxFileBytes, takes);
    if (error) return { ...error, step: index };
  }
  return undefined;
}

/** The request of the job: of one operation, or a chain. With hidden secrets it is only to be shown. */
export function toRunRequest(
  steps: readonly Step[],
  sources: Sources,
  options: JobOptions = noOptions,
  secrets: "shown" | "hidden" = "shown",
): RunRequest | undefined {
  const [first] = steps;
  if (!first) return undefined;
  const { operation, values } = first;
  // A chain has one file: the form shows no other fields for files then.
  const shown = steps.length === 1 ? operation.files : operation.files.slice(0, 1);
  const parts = shown.map(
    ({ part, count }) => [part, providedSources(sources, part, count.max)] as const,
  );
  const path = "/dashboard/api/run";
  const files = Object.fromEntries(parts);
  const common = Object.entries(optionFields(options)).map(
    ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const,
  );
  if (steps.length === 1) {
    const given = sentValues(operation.fields, values, secrets);
    return { path, operation: operation.id, fields: [...given, ...common], sources: files };
  }
  const operations = JSON.stringify(toOperations(steps, secrets));
  const kept = options.keepsSteps === false ? [] : [["keep_steps", "true"] as const];
  const fields = [["operations", operations] as const, ...kept, ...common];
  return { path, operation: "chain", fields, sources: files };
}
