import type { FormOperation } from "./form-field.ts";

/** Where a refusal is shown: beside a field or a file by its name, or above the form. */
export interface FormError {
  /** A parameter, a file part, or `form`. */
  readonly field: string;
  readonly sentence: string;
}

/** Codes of refusals that are the file's doing where the sentence names nothing else. */
const fileCodes = new Set(["invalid_input", "too_large"]);

/** Finds out what a refusal is about: its sentence begins with the name of the field. */
export function placeError(
  { fields, files }: FormOperation,
  sentence: string,
  code: string | null,
): FormError {
  const [, named = ""] = /^(?:The )?([A-Za-z][\w-]*)/.exec(sentence) ?? [];
  const part = named === "input" ? "file" : named.replace(/_url$/, "");
  if (files.some((file) => file.part === part)) return { field: part, sentence };
  if (fields.some(({ name }) => name === named)) return { field: named, sentence };
  return { field: code !== null && fileCodes.has(code) ? "file" : "form", sentence };
}
