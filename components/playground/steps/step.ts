import type { FormOperation, FormValues } from "../form/form-field.ts";
import type { SavedStep } from "../form/saved-form.ts";
import { initialValues } from "../form/values.ts";

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

/** Whether an operation can be in a chain of the form: it takes one file, and needs no other files. */
export function isChainable({ files: [main, ...others] }: FormOperation): boolean {
  const needsOthers = others.some(({ required }) => required);
  return main?.part === "file" && main.count.max === 1 && !needsOthers;
}

/** Whether `next` takes an output of `previous`. The service checks it again with the parameters. */
export function canFollow(next: FormOperation, previous: FormOperation): boolean {
  const [main] = next.files;
  return (
    isChainable(next) &&
    (main?.extensions.some((extension) => previous.produces.includes(extension)) ?? false)
  );
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
