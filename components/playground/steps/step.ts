import type { createTypeCheck } from "../form/check-type.ts";
import type { FormError } from "../form/form-error.ts";
import type { FormOperation, FormValues } from "../form/form-field.ts";
import { type JobOptions, noOptions, optionFields } from "../form/job-options.ts";
import type { SavedStep } from "../form/saved-form.ts";
import type { RunRequest } from "../form/send-run.ts";
import { providedSources, type Sources } from "../form/source.ts";
import { validateForm } from "../form/validate-form.ts";
import { initialValues, jsonValues, sentValues } from "../form/values.ts";

/** An operation of the job that the playground builds. A job has one, or several that run as a chain. */
export interface Step {
  /** Stays the same while the step is moved. */
  readonly key: number;
  readonly operation: FormOperation;
  readonly values: FormValues;
}

/** The most operations of a chain. */
export const maxSteps = 10;

let lastKey = 0;

export function createStep(operation: FormOperation, values = initialValues(operation)): Step {
  return { key: ++lastKey, operation, values };
}

/** Whether an operation can be in a chain of the form: it takes one file, and no other files. */
export function isChainable({ files: [main, ...others] }: FormOperation): boolean {
  return main?.part === "file" && main.count.max === 1 && others.length === 0;
}

/** Whether `next` takes an output of `previous`. The service checks it again with the parameters. */
export function canFollow(next: FormOperation, previous: FormOperation): boolean {
  const [main] = next.files;
  return (
    isChainable(next) &&
    (main?.extensions.some((extension) => previous.produces.includes(extension)) ?? false)
  );
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

/** The index of the first step that cannot take the output of the one before. */
export function findBroken(steps: readonly Step[]): number | undefined {
  const index = steps.findIndex(({ operation }, at) => {
    const previous = steps[at - 1]?.operation;
    return previous !== undefined && !canFollow(operation, previous);
  });
  return index < 0 ? undefined : index;
}

/** Steps that were kept, without those whose operations no longer exist. */
export function restoreSteps(
  saved: readonly SavedStep[],
  operations: readonly FormOperation[],
): Step[] {
  return saved.flatMap(({ operation: id, values }) => {
    const found = operations.find((operation) => operation.id === id);
    return found ? [createStep(found, { ...initialValues(found), ...values })] : [];
  });
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
  const parts = operation.files.map(
    ({ part, count }) => [part, providedSources(sources, part, count.max)] as const,
  );
  const path = "/dashboard/run";
  const files = Object.fromEntries(parts);
  const common = Object.entries(optionFields(options)).map(
    ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const,
  );
  if (steps.length === 1) {
    const given = sentValues(operation.fields, values, secrets);
    return { path, operation: operation.id, fields: [...given, ...common], sources: files };
  }
  const operations = JSON.stringify(toOperations(steps, secrets));
  const fields = [["operations", operations] as const, ...common];
  return { path, operation: "chain", fields, sources: files };
}
