import { createHash } from "node:crypto";
import { PDFDict, type PDFDocument } from "@cantoo/pdf-lib";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import {
  collectFields,
  inherited,
  key,
  type RawField,
} from "#lib/formats/pdf/forms/collect-fields.ts";
import { nameOf } from "#lib/formats/pdf/signatures/read-certificate.ts";
import { readKeyStore } from "#lib/formats/pdf/signatures/read-key-store.ts";
import { type PageBox, sizeOf, viewOf } from "#lib/formats/pdf/structure/page-boxes.ts";
import { openDocument, translateStructureErrors } from "../../shared/pdf/open-document.ts";
import { addSignature } from "./add-signature.ts";
import { appendUpdate, findCrossReferences } from "./append-update.ts";
import { makeCms } from "./make-cms.ts";

/** Worker functions that sign a PDF. */

interface KeyOptions {
  readonly password: string;
  /** ISO 8601. */
  readonly time: string;
}

export interface SignOptions extends KeyOptions {
  readonly reason: string | null;
  readonly location: string | null;
  /** Where the visible signature is; null for an invisible one. */
  readonly place: { readonly page: number; readonly box: PageBox } | null;
}

async function readFiles(files: readonly WorkFile[], { password, time }: KeyOptions) {
  const [pdf, certificate, text] = files;
  if (!pdf || !certificate) throw new Error("a file is missing");
  const signer = readKeyStore(await readRegular(certificate.path), password, new Date(time));
  return { pdf, signer, text };
}

/** Files: the PDF and the certificate. Reports the signer's name and where a signature can be. */
export const describeSigning = async ({ files, options }: WorkerCall<KeyOptions>) => {
  const { pdf, signer } = await readFiles(files, options);
  const document = await openDocument(pdf);
  return translateStructureErrors(() => {
    const pages = document.getPages();
    const last = pages.at(-1);
    if (!last) throw new JobError("empty", "The PDF has no pages.");
    const result = {
      name: nameOf(signer.certificate.node.subject),
      page: pages.length,
      ...sizeOf(viewOf(last)),
    };
    return { outputs: [], result };
  });
};

/** Files: the PDF, the certificate, and of a visible signature the drawn texts. */
export const signDocument = async ({ files, options, work }: WorkerCall<SignOptions>) => {
  const { pdf, signer, text } = await readFiles(files, options);
  const original = await readRegular(pdf.path);
  const document = await openDocument(pdf);
  if (!findCrossReferences(original)) {
    throw new JobError(
      "corrupt",
      "The structure of the PDF is damaged, so that it cannot be signed.",
    );
  }
  const signed = await translateStructureErrors(async () => {
    requireChangesAllowed(document);
    // Its size is that of the final signature, but for a few bytes of an EC signature.
    const size = makeCms(signer, Buffer.alloc(32)).length + 64;
    const { changed, ref } = await addSignature(document, {
      ...{ ...options, time: new Date(options.time), field: findEmptyField(document) },
      ...{ name: nameOf(signer.certificate.node.subject), contentsBytes: size, text },
    });
    const bytes = appendUpdate({ document, original, changed });
    const start = bytes.indexOf(
      `\n${ref.objectNumber} ${ref.generationNumber} obj\n`,
      original.length,
    );
    return fillContents(bytes, start, (digest) => makeCms(signer, digest));
  });
  const output = work.scratch("pdf");
  await writeNew(output.path, signed);
  return { outputs: [output], result: { pages: document.getPageCount() } };
};

/** The first signature field that is not signed yet. */
function findEmptyField(document: PDFDocument): RawField | undefined {
  return collectFields(document).find(
    ({ dict, widgets }) =>
      inherited(dict, "FT") === key("Sig") &&
      !(dict.lookup(key("V")) instanceof PDFDict) &&
      widgets[0]?.ref !== undefined,
  );
}

/** A certified document may forbid all changes (ISO 32000-1, 12.8.2.2). */
function requireChangesAllowed(document: PDFDocument): void {
  const permissions = document.catalog.lookup(key("Perms"));
  const certification =
    permissions instanceof PDFDict ? permissions.lookup(key("DocMDP")) : undefined;
  if (!(certification instanceof PDFDict)) return;
  if (/\/P 1\b/.test(certification.lookup(key("Reference"))?.toString() ?? "")) {
    throw new JobError(
      "unsupported_type",
      "The author of the PDF has certified it and allows no changes.",
    );
  }
}

/** Writes the byte range and the signature into the signature dictionary after `start`. */
function fillContents(
  bytes: Buffer,
  start: number,
  makeSignature: (digest: Buffer) => Buffer,
): Buffer {
  const contents = bytes.indexOf("/Contents <", start) + "/Contents ".length;
  const end = bytes.indexOf(">", contents) + 1;
  const range = bytes.indexOf("/ByteRange [", start) + "/ByteRange [".length;
  const rangeEnd = bytes.indexOf("]", range);
  const text = `0 ${contents} ${end} ${bytes.length - end}`;
  bytes.write(text.padEnd(rangeEnd - range), range, "latin1");
  const digest = createHash("sha256")
    .update(bytes.subarray(0, contents))
    .update(bytes.subarray(end))
    .digest();
  const signature = makeSignature(digest).toString("hex");
  if (signature.length > end - contents - 2) throw new Error("the signature is too long");
  bytes.write(signature, contents + 1, "latin1");
  return bytes;
}
