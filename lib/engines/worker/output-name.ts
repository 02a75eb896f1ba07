import { cleanFileName } from "#lib/net/file-name.ts";
import type { OutputFile } from "./operation.ts";

/** A file name without its extension: `report` of `report.docx`; `output` if nothing is left. */
export function stemOf(filename: string): string {
  const dot = filename.lastIndexOf(".");
  return (dot > 0 ? filename.slice(0, dot) : filename) || "output";
}

/**
 * The name under which an output is stored: its own `filename`, else the input's with the suffix and
 * extension of the output, so that `report.docx` becomes `report.pdf`. Operations whose outputs name
 * each other use it too.
 */
export function outputName(
  inputName: string,
  output: Pick<OutputFile, "filename" | "suffix" | "extension">,
): string {
  const named = output.filename && cleanFileName(output.filename);
  return named || `${stemOf(inputName)}${output.suffix ?? ""}.${output.extension}`;
}
