import { fileTooLargeMessage } from "#lib/plans.ts";
import type { FormOperation } from "./fields/form-field.ts";
import { isProvided, type Sources } from "./fields/source.ts";
import type { FormError } from "./form-error.ts";
import type { FormValues } from "./values.ts";

/** The first missing or too large input. The server validates everything else. */
export function validateForm(
  { files, fields }: FormOperation,
  values: FormValues,
  sources: Sources,
  maxFileBytes: number | null,
): FormError | undefined {
  for (const { part, required } of files) {
    const source = sources[part];
    if (required && !isProvided(source)) {
      return { field: part, message: "Choose a file or enter its URL." };
    }
    if (maxFileBytes !== null && source?.kind === "file" && source.file.size > maxFileBytes) {
      return { field: part, message: fileTooLargeMessage(maxFileBytes) };
    }
  }
  const missing = fields.find(({ name, required }) => required && (values[name] ?? "") === "");
  return missing && { field: missing.name, message: `\`${missing.name}\` is required.` };
}
