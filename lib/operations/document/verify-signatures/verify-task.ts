import { PDFArray, PDFDict, type PDFDocument, PDFName, PDFNumber } from "@cantoo/pdf-lib";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular } from "#lib/files/regular-files.ts";
import { collectFields, inherited, key, readText } from "#lib/formats/pdf/forms/collect-fields.ts";
import { nameOf } from "#lib/formats/pdf/signatures/read-key-store.ts";
import { openDocument, translateStructureErrors } from "../../shared/pdf/open-document.ts";
import { compareRevisions, type RevisionChange } from "./compare-revisions.ts";
import { type ParsedCms, parseCms } from "./parse-cms.ts";
import { describeAlgorithm, findCmsProblem, findTrust, type Trust } from "./verify-cms.ts";

/** What is known about one signature of a PDF. */
export interface VerifiedSignature {
  readonly field: string;
  readonly signer: string | null;
  readonly issuer: string | null;
  /** ISO 8601; as the signer states it, unless the format is a time stamp. */
  readonly time: string | null;
  readonly reason: string | null;
  readonly location: string | null;
  readonly algorithm: string | null;
  /** The `SubFilter`, such as `ETSI.CAdES.detached`. */
  readonly format: string;
  /** Whether the signed bytes are unchanged and the signature fits the certificate. */
  readonly valid: boolean;
  /** Why it is not valid. */
  readonly problem: string | null;
  readonly covers_whole_document: boolean;
  /** What later revisions have changed; empty if the signature covers the whole document. */
  readonly changed_after: readonly RevisionChange[];
  readonly trust: Trust | null;
  readonly has_timestamp: boolean;
  readonly certificate: {
    readonly subject: string;
    readonly issuer: string;
    readonly serial: string;
    readonly valid_from: string;
    readonly valid_to: string;
    /** Whether the time of the signature is after the end of its validity. */
    readonly expired: boolean;
  } | null;
}

const maxSignatures = 200;

/** Worker function: verifies all signatures of a PDF, in the order of its fields. */
export const verifySignatures = async ({ files: [file] }: WorkerCall) => {
  if (!file) throw new Error("no file");
  const [bytes, document] = [await readRegular(file.path), await openDocument(file)];
  return translateStructureErrors(async () => {
    const signatures: VerifiedSignature[] = [];
    for (const { dict, name } of collectFields(document)) {
      const value = dict.lookup(key("V"));
      if (inherited(dict, "FT") !== key("Sig") || !(value instanceof PDFDict)) continue;
      signatures.push(await verifyOne(name, value, bytes, document));
      if (signatures.length > maxSignatures) {
        throw new JobError("too_complex", `At most ${maxSignatures} signatures can be verified.`);
      }
    }
    return { outputs: [], result: { signatures } };
  });
};

async function verifyOne(
  field: string,
  value: PDFDict,
  bytes: Buffer,
  document: PDFDocument,
): Promise<VerifiedSignature> {
  const subFilter = value.lookup(key("SubFilter"));
  const format = subFilter instanceof PDFName ? subFilter.decodeText() : "";
  const range = readRange(value, bytes);
  const cms = range && tryParse(range.contents);
  const problem = range
    ? cms
      ? findCmsProblem(cms, range.signed, format)
      : "The signature has a format that is not supported, or is damaged."
    : "The range of the signed bytes is invalid.";
  const signer = cms?.signer;
  const time = cms?.signingTime ?? readPdfDate(readText(value.lookup(key("M")))) ?? null;
  const isWhole = range !== undefined && bytes.subarray(range.end).toString("latin1").trim() === "";
  const signedRevision = range ? bytes.subarray(0, range.end) : bytes;
  const text = (name: string) => readText(value.lookup(key(name))) ?? null;
  return {
    field,
    signer: signer ? nameOf(signer.subject) : text("Name"),
    issuer: signer ? nameOf(signer.issuer) : null,
    ...{ time, reason: text("Reason"), location: text("Location") },
    ...{ algorithm: cms ? describeAlgorithm(cms) : null, format },
    ...{ valid: problem === undefined, problem: problem ?? null },
    covers_whole_document: isWhole,
    changed_after: isWhole || !range ? [] : await compareRevisions(signedRevision, document),
    trust: signer && cms ? findTrust(signer, cms.certificates) : null,
    has_timestamp: cms?.hasTimestamp ?? false,
    certificate: signer
      ? {
          subject: signer.subject.replaceAll("\n", ", "),
          issuer: signer.issuer.replaceAll("\n", ", "),
          serial: signer.serialNumber,
          valid_from: signer.validFromDate.toISOString(),
          valid_to: signer.validToDate.toISOString(),
          expired: signer.validToDate < (time ? new Date(time) : new Date()),
        }
      : null,
  };
}

function tryParse(contents: Buffer): ParsedCms | undefined {
  try {
    return parseCms(contents);
  } catch {
    return undefined;
  }
}

/** The signed bytes. What is between the two ranges must be the signature and nothing else. */
function readRange(value: PDFDict, bytes: Buffer) {
  const range = value.lookup(key("ByteRange"));
  if (!(range instanceof PDFArray) || range.size() !== 4) return undefined;
  const [start, length, next, rest] = [0, 1, 2, 3].map((index) => {
    const number = range.lookup(index);
    return number instanceof PDFNumber ? number.asNumber() : Number.NaN;
  }) as [number, number, number, number];
  const end = next + rest;
  const isOrdered = start === 0 && length > 0 && next > length && rest > 0 && end <= bytes.length;
  if (!isOrdered || ![length, next, rest].every(Number.isInteger)) return undefined;
  const gap = bytes.toString("latin1", length, next);
  const hex = /^\s*<([0-9A-Fa-f\s]*)>\s*$/.exec(gap)?.[1];
  if (hex === undefined) return undefined;
  const signed = Buffer.concat([bytes.subarray(0, length), bytes.subarray(next, end)]);
  return { signed, end, contents: Buffer.from(hex.replace(/\s/g, ""), "hex") };
}

/** A date of PDF (ISO 32000-1, 7.9.4) as ISO 8601. */
function readPdfDate(text: string | undefined): string | undefined {
  const pattern = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-])(\d\d)'?(\d\d)?)?/;
  const match = pattern.exec(text ?? "");
  if (!match) return undefined;
  const [, year, month = "01", day = "01", hour = "00", minute = "00", second = "00"] = match;
  const [sign, hours = "00", minutes = "00"] = match.slice(7);
  const zone = sign ? `${sign}${hours}:${minutes}` : "Z";
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
