import { JobError } from "#lib/errors.ts";
import { withFileSource } from "#lib/media/byte-source.ts";
import { isEncryptedPackage, readRootNames } from "#lib/media/formats/ole.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { checkOfficePackage } from "./check-package.ts";
import type { OfficeStructure } from "./formats.ts";
import { normalizeText, tableImportOptions, textImportOptions } from "./text-import.ts";

/**
 * Checks a document before LibreOffice opens it. Returns the options of the import filter and, for
 * text documents, a UTF-8 copy to open instead. Throws `JobError` (`encrypted`, `corrupt`,
 * `too_complex`).
 */
export async function prepareOfficeInput(
  input: WorkFile,
  structure: OfficeStructure,
  work: WorkFolder,
): Promise<{ text?: WorkFile; options: string }> {
  // An encrypted Office Open XML file is an OLE file that contains the encrypted package.
  const streams = await withFileSource(input.path, readRootNames);
  if (isEncryptedPackage(streams ?? [])) throw createOfficeFailure("encrypted");
  if (structure === "ole" && !streams) throw createOfficeFailure("corrupt");
  if (structure === "rtf" && !(await startsAsRtf(input.path))) throw createOfficeFailure("corrupt");
  if (structure === "zip") await checkOfficePackage(input.path, work.limits);
  if (structure !== "text" && structure !== "table") return { options: "" };
  const text = work.scratch(input.extension);
  const content = await normalizeText(input, text, work.limits);
  return { text, options: structure === "table" ? tableImportOptions(content) : textImportOptions };
}

/** Checked because LibreOffice's RTF filter imports any other content as text. */
function startsAsRtf(path: string): Promise<boolean> {
  return withFileSource(path, async ({ head }) => head.toString("latin1", 0, 5) === "{\\rtf");
}

/** The job failure for an error code of the LibreOffice bridge or of the checks before it. */
export function createOfficeFailure(code: string): JobError {
  if (code === "encrypted") {
    return new JobError("encrypted", "The document is protected by a password.");
  }
  if (code === "empty") {
    return new JobError("empty", "`page_ranges` does not match any page of the document.");
  }
  return new JobError("corrupt", "The document is damaged, or its type does not match its name.");
}
