import { fileTooLargeMessage } from "#lib/plans.ts";
import { type createTypeCheck, findWrongType } from "./check-type.ts";
import { isAllowedValue } from "./check-value.ts";
import type { FormError } from "./form-error.ts";
import {
  describeCount,
  type FileCount,
  type FormOperation,
  type FormValues,
} from "./form-field.ts";
import { providedSources, type Source, type Sources, sourceName } from "./source.ts";
import { sentFields } from "./values.ts";

/** Whether an operation takes a file, by its name and type. */
export type TypeCheck = ReturnType<typeof createTypeCheck>;

/**
 * The first input that is missing, too large or of another type, or the first parameter that is missing or not
 * allowed: found before anything is uploaded. The server validates everything again.
 */
export function validateForm(
  operation: FormOperation,
  values: FormValues,
  sources: Sources,
  maxFileBytes: number | null,
  takes: TypeCheck = () => true,
): FormError | undefined {
  const { files, fields } = operation;
  for (const { part, count } of files) {
    const given = providedSources(sources, part, count.max);
    if (given.length < count.min) return { field: part, message: missingMessage(count) };
    const wrong = findWrongType(operation, sources, takes, part);
    if (wrong) return wrong;
    if (maxFileBytes === null) continue;
    const large = given.find((one) => one.kind === "file" && one.file.size > maxFileBytes);
    if (large) return { field: part, message: tooLargeMessage(large, count, maxFileBytes) };
  }
  const missing = fields.find(({ name, required }) => required && (values[name] ?? "") === "");
  if (missing) return { field: missing.name, message: `\`${missing.name}\` is required.` };
  return findWrongValue(operation, values);
}

/** The first value that is filled in but not allowed; with `only`, that of this parameter. */
export function findWrongValue(
  { fields }: FormOperation,
  values: FormValues,
  only?: string,
): FormError | undefined {
  const wrong = sentFields(fields, values).find(
    ({ name, rule }) =>
      (only === undefined || name === only) && !isAllowedValue(rule, values[name] ?? ""),
  );
  return wrong && { field: wrong.name, message: `\`${wrong.name}\` must be ${wrong.allowed}.` };
}

function missingMessage(count: FileCount): string {
  if (count.max === 1) return "Choose a file or enter its URL.";
  return `Choose ${describeCount(count)} files, or add their URLs.`;
}

function tooLargeMessage(source: Source, { max }: FileCount, maxFileBytes: number): string {
  const message = fileTooLargeMessage({ bytes: maxFileBytes, owner: "plan" });
  return max === 1 ? message : `${sourceName(source)}: ${message}`;
}
