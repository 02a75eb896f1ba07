import { describeCount } from "#components/playground/form/form-field.ts";
import { describeTypes } from "#lib/media/types.ts";
import type { Operation } from "#lib/operations/define.ts";

/** How many files an operation takes and of which types, in one sentence. */
export function describeInputs({ accepts, inputs }: Operation): string {
  const { max } = inputs;
  if (max === 0) return "Takes no file.";
  const types = describeTypes(accepts);
  return max === 1 ? `Accepts ${types}.` : `Takes ${describeCount(inputs)} files: ${types}.`;
}
