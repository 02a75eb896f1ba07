import { createHash, randomBytes } from "node:crypto";
import { PDFDict, type PDFDocument, PDFNumber } from "@cantoo/pdf-lib";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular, writeNew } from "#lib/files/regular-files.ts";
import { arrayAt, dictAt, dictOf } from "#lib/formats/pdf/archival/walk.ts";
import {
  collectFields,
  inherited,
  key,
  type RawField,
  type RawWidget,
} from "#lib/formats/pdf/forms/collect-fields.ts";
import { nameOf } from "#lib/formats/pdf/signatures/read-certificate.ts";
import { readCms } from "#lib/formats/pdf/signatures/read-cms.ts";
import { readKeyStore } from "#lib/formats/pdf/signatures/read-key-store.ts";
import {
  type PageBox,
  readCorners,
  sizeOf,
  viewOf,
} from "#lib/formats/pdf/structure/page-boxes.ts";
import { openDocument, translateStructureErrors } from "../../shared/pdf/open-document.ts";
import { addSignature } from "./add-signature.ts";
import { appendUpdate, findCrossReferences } from "./append-update.ts";
import { addTimestamp, makeCms } from "./make-cms.ts";
import { makeTimestampRequest, readTimestampResponse } from "./timestamp-messages.ts";

/** Worker functions that sign a PDF. */

interface KeyOptions {
  readonly password: string;
  /** The time of the signature in ISO 8601. */
  readonly time: string;
}

export interface SignOptions extends KeyOptions {
  readonly reason: string | null;
  readonly location: string | null;
  /** Where the visible signature is; null for an invisible one. */
  readonly place: { readonly page: number; readonly box: PageBox } | null;
  /** Whether a time stamp follows. */
  readonly hasTimestamp: boolean;
}

/** What a time stamp needs: a request, and where it is added in the signed PDF. */
export interface TimestampOptions {
  /** The request in base64, as `nonce`. */
  readonly request: string;
  readonly nonce: string;
  /** The bytes of the PDF between which the digits of the signature are. */
  readonly start: number;
  readonly end: number;
}

/** Room for a time stamp with the certificates of its server, of which most take 3 to 8 kB. */
const timestampBytes = 24_000;

async function readFiles(files: readonly WorkFile[], { password, time }: KeyOptions) {
  const [pdf, certificate, text] = files;
  if (!pdf || !certificate) throw new Error("a file is missing");
  const signer = readKeyStore(await readRegular(certificate.path), password, new Date(time));
  return { pdf, signer, text };
}

/**
 * Reports the signer's name and where a visible signature can be: in a field, or on the last page. The files are the PDF and the
 * certificate.
 */
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
      has_field: findEmptyField(document, true) !== undefined,
    };
    return { outputs: [], result };
  });
};

/**
 * Signs a PDF. The files are the PDF, the certificate, and of a visible signature the drawn texts.
 */
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
    const own = makeCms(signer, Buffer.alloc(32)).length + 64;
    const size = own + (options.hasTimestamp ? timestampBytes : 0);
    const { changed, ref } = await addSignature(document, {
      ...options,
      time: new Date(options.time),
      field: findEmptyField(document, text !== undefined),
      name: nameOf(signer.certificate.node.subject),
      contentsBytes: size,
      text,
    });
    const bytes = appendUpdate({ document, original, changed });
    const start = bytes.indexOf(
      `\n${ref.objectNumber} ${ref.generationNumber} obj\n`,
      original.length,
    );
    return fillContents(bytes, start, (digest) => makeCms(signer, digest));
  });
  const output = work.scratch("pdf");
  await writeNew(output.path, signed.bytes);
  const timestamp = options.hasTimestamp ? describeTimestamp(signed) : null;
  return { outputs: [output], result: { pages: document.getPageCount(), timestamp } };
};

function describeTimestamp({ bytes, start, end }: SignedPdf): TimestampOptions {
  const { signature } = readCms(readDigits(bytes, start, end));
  const nonce = randomBytes(16);
  // The encoding of a positive number without a zero at its start.
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40;
  const request = makeTimestampRequest(signature, nonce).toString("base64");
  return { request, nonce: nonce.toString("base64"), start, end };
}

/** Adds a time stamp. The files are the signed PDF and the response of the time stamp server. */
export const stampDocument = async ({ files, options, work }: WorkerCall<TimestampOptions>) => {
  const [pdf, response] = files;
  if (!pdf || !response) throw new Error("a file is missing");
  const { start, end } = options;
  const bytes = await readRegular(pdf.path);
  const cms = readDigits(bytes, start, end);
  const nonce = Buffer.from(options.nonce, "base64");
  const { signature } = readCms(cms);
  const token = readTimestampResponse(await readRegular(response.path), signature, nonce);
  const stamped = addTimestamp(cms, token);
  if (!readCms(stamped).timestamp?.equals(token)) throw new Error("the time stamp was changed");
  writeDigits(bytes, start, end, stamped);
  const output = work.scratch("pdf");
  await writeNew(output.path, bytes);
  return { outputs: [output] };
};

/** The first signature field that is not signed yet; with `isVisible`, one with room on a page. */
function findEmptyField(document: PDFDocument, isVisible: boolean): RawField | undefined {
  return collectFields(document).find(
    ({ dict, widgets }) =>
      inherited(dict, "FT") === key("Sig") &&
      !(dict.lookup(key("V")) instanceof PDFDict) &&
      widgets[0]?.ref !== undefined &&
      (!isVisible || hasRoom(widgets[0])),
  );
}

/** Points of the shorter side in which a signature can be seen. */
const leastSide = 4;

function hasRoom({ dict, page }: RawWidget): boolean {
  const [left, bottom, right, top] = readCorners(dict, key("Rect")) ?? [0, 0, 0, 0];
  return page !== undefined && Math.min(right - left, top - bottom) >= leastSide;
}

/** A certified document may forbid all changes (ISO 32000-1, 12.8.2.2). */
function requireChangesAllowed(document: PDFDocument): void {
  const permissions = document.catalog.lookup(key("Perms"));
  const certification =
    permissions instanceof PDFDict ? permissions.lookup(key("DocMDP")) : undefined;
  if (!(certification instanceof PDFDict)) return;
  const forbidsAll = arrayAt(certification, "Reference").some((item) => {
    const reference = dictOf(document.context.lookup(item));
    const level = reference && dictAt(reference, "TransformParams")?.lookup(key("P"));
    return level instanceof PDFNumber && level.asNumber() === 1;
  });
  if (forbidsAll) {
    throw new JobError(
      "unsupported_type",
      "The author of the PDF has certified it and allows no changes.",
    );
  }
}

interface SignedPdf {
  readonly bytes: Buffer;
  /** The bytes between which the digits of the signature are. */
  readonly start: number;
  readonly end: number;
}

/** Writes the byte range and the signature into the signature dictionary after `from`. */
function fillContents(
  bytes: Buffer,
  from: number,
  makeSignature: (digest: Buffer) => Buffer,
): SignedPdf {
  const contents = bytes.indexOf("/Contents <", from) + "/Contents ".length;
  const end = bytes.indexOf(">", contents) + 1;
  const range = bytes.indexOf("/ByteRange [", from) + "/ByteRange [".length;
  const rangeEnd = bytes.indexOf("]", range);
  const text = `0 ${contents} ${end} ${bytes.length - end}`;
  bytes.write(text.padEnd(rangeEnd - range), range, "latin1");
  const digest = createHash("sha256")
    .update(bytes.subarray(0, contents))
    .update(bytes.subarray(end))
    .digest();
  const digits = { start: contents + 1, end: end - 1 };
  writeDigits(bytes, digits.start, digits.end, makeSignature(digest));
  return { bytes, ...digits };
}

const readDigits = (bytes: Buffer, start: number, end: number) =>
  Buffer.from(bytes.toString("latin1", start, end), "hex");

function writeDigits(bytes: Buffer, start: number, end: number, signature: Buffer): void {
  const digits = signature.toString("hex");
  if (digits.length > end - start) throw new Error("the signature is too long");
  bytes.write(digits, start, "latin1");
}
