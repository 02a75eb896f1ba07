import { JobError } from "#lib/errors.ts";
import { withFileSource } from "#lib/media/byte-source.ts";
import { isEncryptedPackage, readRootNames } from "#lib/media/sniff/ole.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import type { OfficePacking } from "./formats.ts";
import { checkContainer } from "./package.ts";
import { normalizeText, tableImportOptions, textImportOptions } from "./text.ts";

/**
 * Checks what can be checked before an office sees a document, and says how it is to be read: with
 * `options` of the import filter, and for text from `text`, which is UTF-8. Throws `JobError`
 * (`encrypted`, `corrupt`, `too_complex`).
 */
export async function prepareOffice(
  input: WorkFile,
  packing: OfficePacking,
  work: WorkFolder,
): Promise<{ text?: WorkFile; options: string }> {
  // Under a password an Office Open XML file is an OLE file with the real one inside.
  const streams = await withFileSource(input.path, readRootNames);
  if (isEncryptedPackage(streams ?? [])) throw explainRefusal("encrypted");
  if (packing === "ole" && !streams) throw explainRefusal("corrupt");
  if (packing === "rtf" && !(await startsAsRtf(input.path))) throw explainRefusal("corrupt");
  if (packing === "zip") await checkContainer(input.path, work.limits);
  if (packing !== "text" && packing !== "table") return { options: "" };
  const text = work.scratch(input.extension);
  const content = await normalizeText(input, text, work.limits);
  return { text, options: packing === "table" ? tableImportOptions(content) : textImportOptions };
}

/** The RTF filter would take anything for text. */
function startsAsRtf(path: string): Promise<boolean> {
  return withFileSource(path, async ({ head }) => head.toString("latin1", 0, 5) === "{\\rtf");
}

/** What the answer of an office, or of what looks at a document before it, means for the job. */
export function explainRefusal(code: string): JobError {
  if (code === "encrypted") {
    return new JobError("encrypted", "The document is protected by a password.");
  }
  if (code === "empty") {
    return new JobError("empty", "page_ranges selects none of the document's pages.");
  }
  return new JobError("corrupt", "The document is damaged, or is not what its name says.");
}
