import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { streamRegular } from "#lib/files/regular-files.ts";

const name = Buffer.from("/ByteRange");

/**
 * Whether a PDF has digital signatures. The dictionary of a signature is never compressed or encrypted,
 * because it contains the offsets of the signed bytes.
 */
export async function hasSignatures(file: WorkFile): Promise<boolean> {
  let rest = Buffer.alloc(0);
  for await (const chunk of streamRegular(file.path)) {
    const bytes = Buffer.concat([rest, chunk]);
    if (bytes.includes(name)) return true;
    rest = bytes.subarray(Math.max(0, bytes.length - name.length + 1));
  }
  return false;
}

/** The warning of an operation that rewrites a file, if the file is signed. */
export async function signatureWarnings(file: WorkFile): Promise<string[]> {
  if (!(await hasSignatures(file))) return [];
  return ["The digital signatures of the PDF are no longer valid, because the file has changed."];
}
