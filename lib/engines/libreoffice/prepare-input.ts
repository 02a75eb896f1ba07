import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { JobError } from "#lib/errors.ts";
import { statRegular, streamRegular, streamToNew } from "#lib/files/regular-files.ts";
import { checkOfficePackage, ratioExemptBytes } from "#lib/formats/office/check-package.ts";
import { isEncryptedOffice } from "#lib/formats/office/encryption.ts";
import type { OfficeStructure } from "#lib/formats/office/formats.ts";
import {
  normalizeText,
  tableImportOptions,
  textImportOptions,
} from "#lib/formats/office/text-import.ts";
import { isEncryptedPackage, readRootNames } from "#lib/formats/ole/ole.ts";
import { limitError } from "#lib/limits/limits.ts";
import { withFileSource } from "#lib/media/byte-source.ts";
import { isDamagedData } from "#lib/media/damaged-data.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";
import { requireFiles, type WorkerCall, type WorkerOutput } from "../worker/worker-function.ts";

interface ImportOptions {
  readonly options: string;
}

/**
 * Checks a document before LibreOffice opens it, in a worker. Returns the options of the import filter, and
 * a copy to open instead: UTF-8 of a text, the content of a compressed file. Throws `JobError` (`encrypted`, `corrupt`,
 * `too_complex`).
 */
export async function prepareOfficeInput({
  files,
  options: { structure, hasPassword },
  work,
}: WorkerCall<{ readonly structure: OfficeStructure; readonly hasPassword?: boolean }>): Promise<
  WorkerOutput<ImportOptions>
> {
  const [input] = requireFiles(files);
  if (hasPassword) {
    if (!(await isEncryptedOffice(input.path))) throw createOfficeFailure("unprotected");
    // What is in it is known only when LibreOffice has opened it, in its sandbox.
    return { outputs: [], result: { options: "" } };
  }
  // An encrypted Office Open XML file is an OLE file that contains the encrypted package.
  const streams = await withFileSource(input.path, readRootNames);
  if (isEncryptedPackage(streams ?? [])) throw createOfficeFailure("encrypted");
  if (structure === "ole" && !streams && !(await isBareWorkbook(input.path)))
    throw createOfficeFailure("corrupt");
  if (structure === "rtf" && !(await startsAsRtf(input.path))) throw createOfficeFailure("corrupt");
  if (structure === "single") {
    const unpacked = await unpackSingle(input, work);
    return { outputs: unpacked ? [unpacked] : [], result: { options: "" } };
  }
  if (structure === "zip") await checkOfficePackage(input.path, work.limits);
  if (structure !== "text" && structure !== "table")
    return { outputs: [], result: { options: "" } };
  const text = work.scratch(input.extension);
  const content = await normalizeText(input, text, work.limits);
  const options = structure === "table" ? tableImportOptions(content) : textImportOptions;
  return { outputs: [text], result: { options } };
}

/**
 * Whether the file starts as RTF, which is checked because LibreOffice's RTF filter imports any
 * other content as text.
 */
function startsAsRtf(path: string): Promise<boolean> {
  return withFileSource(path, async ({ head }) => head.toString("latin1", 0, 5) === "{\\rtf");
}

/** Excel 2 to 4 wrote BIFF records without an OLE file around them. */
function isBareWorkbook(path: string): Promise<boolean> {
  return withFileSource(path, async ({ head }) =>
    /^09(0004|0206|0406)00/.test(head.toString("hex", 0, 4)),
  );
}

/**
 * Unpacks a file that is compressed with gzip. Undefined if it is not, or is of Gnumeric, whose files
 * LibreOffice reads compressed only.
 */
async function unpackSingle(input: WorkFile, work: WorkFolder): Promise<WorkFile | undefined> {
  const isCompressed = await withFileSource(
    input.path,
    async ({ head }) => head[0] === 0x1f && head[1] === 0x8b,
  );
  if (!isCompressed) return undefined;
  const { size } = await statRegular(input.path);
  const { officeBytes, officeRatio } = work.limits;
  const unpacked = work.scratch(input.extension);
  let bytes = 0;
  const count = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > officeBytes) throw limitError("officeBytes", officeBytes);
      if (bytes > ratioExemptBytes && bytes > size * officeRatio) {
        throw limitError("officeRatio", officeRatio);
      }
      yield chunk;
    }
  };
  try {
    await pipeline(streamRegular(input.path), createGunzip(), count, streamToNew(unpacked.path));
  } catch (cause) {
    throw isDamagedData(cause) ? createOfficeFailure("corrupt") : cause;
  }
  return input.extension === "gnumeric" ? undefined : unpacked;
}

/** The job failure for an error code of the LibreOffice bridge or of the checks before it. */
export function createOfficeFailure(code: string): JobError {
  if (code === "encrypted") {
    return new JobError("encrypted", "The document is protected by a password.");
  }
  if (code === "unprotected") {
    const message = "The document is not protected by a password. Leave out `password`.";
    return new JobError("empty", message);
  }
  if (code === "empty") {
    return new JobError("empty", "`page_ranges` does not match any page of the document.");
  }
  return new JobError("corrupt", "The document is damaged, or its type does not match its name.");
}
