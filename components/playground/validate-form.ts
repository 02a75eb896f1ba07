import { fileTooLargeMessage } from "#lib/plans.ts";
import {
  describeCount,
  type FileCount,
  type FormOperation,
  type FormValues,
} from "./form/form-field.ts";
import { providedSources, type Source, type Sources, sourceName } from "./form/source.ts";
import type { FormError } from "./form-error.ts";

/** The first missing or too large input. The server validates everything else. */
export function validateForm(
  { files, fields }: FormOperation,
  values: FormValues,
  sources: Sources,
  maxFileBytes: number | null,
): FormError | undefined {
  for (const { part, count } of files) {
    const given = providedSources(sources, part, count.max);
    if (given.length < count.min) return { field: part, message: missingMessage(count) };
    if (maxFileBytes === null) continue;
    const large = given.find((one) => one.kind === "file" && one.file.size > maxFileBytes);
    if (large) return { field: part, message: tooLargeMessage(large, count, maxFileBytes) };
  }
  const missing = fields.find(({ name, required }) => required && (values[name] ?? "") === "");
  return missing && { field: missing.name, message: `\`${missing.name}\` is required.` };
}

function missingMessage(count: FileCount): string {
  if (count.max === 1) return "Choose a file or enter its URL.";
  return `Choose ${describeCount(count)} files, or add their URLs.`;
}

function tooLargeMessage(source: Source, { max }: FileCount, maxFileBytes: number): string {
  const message = fileTooLargeMessage(maxFileBytes);
  return max === 1 ? message : `${sourceName(source)}: ${message}`;
}
