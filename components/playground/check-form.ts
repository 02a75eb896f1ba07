import { formatBytes } from "#components/format.ts";
import type { FormError } from "./field-of-error.ts";
import type { FormOperation } from "./form-field.ts";
import { isGiven, type Sources } from "./source.ts";
import type { FormValues } from "./values.ts";

/** What is missing, before anything is sent; everything else is the server's to judge. */
export function checkForm(
  { files, fields }: FormOperation,
  values: FormValues,
  sources: Sources,
  maxFileBytes: number | null,
): FormError | undefined {
  for (const { part, required } of files) {
    const source = sources[part];
    if (required && !isGiven(source)) {
      return { field: part, sentence: "Choose a file, or paste the address of one." };
    }
    if (maxFileBytes !== null && source?.kind === "file" && source.file.size > maxFileBytes) {
      const most = formatBytes(maxFileBytes);
      return { field: part, sentence: `The file is larger than your plan's maximum of ${most}.` };
    }
  }
  const missing = fields.find(({ name, required }) => required && (values[name] ?? "") === "");
  return missing && { field: missing.name, sentence: `${missing.name} is required.` };
}
