import { JobError } from "#lib/errors.ts";
import { describeTypes, type MediaType, type MediaTypeId } from "#lib/media/types.ts";
import { acceptsType } from "#lib/operations/define.ts";
import type { JobStep } from "../../job-steps.ts";

/** The types that a file part accepts, by its stored name. */
export function acceptedTypesOf(steps: readonly JobStep[], part: string): readonly MediaTypeId[] {
  const step = steps.find(({ operation, prefix }) =>
    Object.keys(operation.files ?? {}).some((name) => part === prefix + name),
  );
  return step?.operation.files?.[part.slice(step.prefix.length)]?.accepts ?? [];
}

/** Throws `unsupported_type` if the operation does not accept the type. */
export function requireAcceptedType(type: MediaType, accepts: readonly MediaTypeId[]): void {
  if (acceptsType({ accepts }, type.id)) return;
  const actual = type.id === "unknown" ? "of an unknown type" : type.label;
  const message = `The file is ${actual}, but the operation accepts only ${describeTypes(accepts)}.`;
  throw new JobError("unsupported_type", message);
}
