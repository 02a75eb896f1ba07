import { type Step, toOperations } from "./step.ts";

/** The path of the playground with these steps filled in, without files and secrets. */
export function pathOfSteps(steps: readonly Step[]): string {
  const open = steps.map((step) => {
    const fields = step.operation.fields.filter(({ secret }) => !secret);
    return { ...step, operation: { ...step.operation, fields } };
  });
  const query = new URLSearchParams({ operations: JSON.stringify(toOperations(open, "hidden")) });
  return `/dashboard/playground?${query}`;
}
