import { PDFArray, PDFDict, type PDFDocument, PDFName, PDFNumber } from "@cantoo/pdf-lib";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { readRegular } from "#lib/files/regular-files.ts";
import { collectFields, inherited, key, readText } from "#lib/formats/pdf/forms/collect-fields.ts";
import { nameOf } from "#lib/formats/pdf/signatures/read-certificate.ts";
import { type Cms, readCms } from "#lib/formats/pdf/signatures/read-cms.ts";
import { timestampOf } from "#lib/formats/pdf/signatures/read-timestamp.ts";
import { isDamagedData } from "#lib/media/damaged-data.ts";
import { openDocument, translateStructureErrors } from "../../shared/pdf/open-document.ts";
import { checkTimestamp } from "./check-timestamp.ts";
import { compareRevisions } from "./compare-revisions.ts";
import { findTrust } from "./find-trust.ts";
import type { SignatureResult } from "./result.ts";
import { describeAlgorithm, findCmsProblem } from "./verify-cms.ts";

export interface VerifyOptions {
  /** Encoded certificates (PEM) of authorities that are trusted in addition to Mozilla's. */
  readonly roots: readonly string[];
}

const maxSignatures = 200;

/** Worker function: verifies all signatures of a PDF, in the order of its fields. */
export const verifySignatures = async ({ files: [file], options }: WorkerCall<VerifyOptions>) => {
  if (!file) throw new Error("no file");
  const bytes = await readRegular(file.path);
  const document = await openDocument(file);
  return translateStructureErrors(async () => {
    const signatures: SignatureResult[] = [];
    for (const { dict, name } of collectFields(document)) {
      const value = dict.lookup(key("V"));
      if (inherited(dict, "FT") !== key("Sig") || !(value instanceof PDFDict)) continue;
      signatures.push(await verifyOne(name, value, { bytes, document, ...options }));
      if (signatures.length > maxSignatures) {
        throw new JobError("too_complex", `At most ${maxSignatures} signatures can be verified.`);
      }
    }
    return { outputs: [], result: { signatures } };
  });
};

interface Source extends VerifyOptions {
  readonly bytes: Buffer;
  readonly document: PDFDocument;
}

async function verifyOne(field: string, value: PDFDict, source: Source): Promise<SignatureResult> {
  const { bytes, document, roots } = source;
  const subFilter = value.lookup(key("SubFilter"));
  const format = subFilter instanceof PDFName ? subFilter.decodeText() : "";
  const range = readRange(value, bytes);
  const { cms, problem, stampedTime } = range
    ? readSignature(range, format)
    : { problem: "The range of the signed bytes is invalid." };
  const signer = cms?.signer;
  const certificate = signer?.node;
  const stated = stampedTime ?? cms?.signingTime ?? readPdfDate(readText(value.lookup(key("M"))));
  const timestamp = cms?.timestamp ? await checkTimestamp(cms, cms.timestamp, roots) : null;
  const proven = stampedTime ?? (timestamp?.trust === "trusted" ? timestamp.time : null);
  const now = new Date();
  const found = signer && {
    signer,
    others: cms.certificates,
    roots,
    purpose: format === "ETSI.RFC3161" ? ("timestamp" as const) : ("document" as const),
    // The owner of an expired certificate could state any time.
    times: proven ? [new Date(proven)] : [stated ? new Date(stated) : now, now],
  };
  const { trust, problem: trustProblem } = found
    ? await findTrust(found)
    : { trust: null, problem: null };
  const isWhole = range !== undefined && bytes.subarray(range.end).toString("latin1").trim() === "";
  const signedRevision = range ? bytes.subarray(0, range.end) : bytes;
  const text = (name: string) => readText(value.lookup(key(name))) ?? null;
  const time = stated ?? null;
  return {
    field,
    signer: certificate ? nameOf(certificate.subject) : text("Name"),
    issuer: certificate ? nameOf(certificate.issuer) : null,
    time,
    reason: text("Reason"),
    location: text("Location"),
    algorithm: cms ? describeAlgorithm(cms) : null,
    format,
    valid: problem === undefined,
    problem: problem ?? null,
    covers_whole_document: isWhole,
    changed_after: isWhole || !range ? [] : await compareRevisions(signedRevision, document),
    trust,
    trust_problem: trustProblem,
    has_timestamp: timestamp !== null,
    timestamp,
    certificate: certificate
      ? {
          subject: certificate.subject.replaceAll("\n", ", "),
          issuer: certificate.issuer.replaceAll("\n", ", "),
          serial: certificate.serialNumber,
          valid_from: certificate.validFromDate.toISOString(),
          valid_to: certificate.validToDate.toISOString(),
          expired: certificate.validToDate < (time ? new Date(time) : now),
        }
      : null,
  };
}

interface ReadSignature {
  readonly cms?: Cms;
  readonly problem: string | undefined;
  /** The time of a time stamp of the document in ISO 8601. */
  readonly stampedTime?: string;
}

function readSignature({ contents, signed }: SignedRange, format: string): ReadSignature {
  let cms: Cms | undefined;
  try {
    cms = readCms(contents);
    const problem = findCmsProblem(cms, signed, format);
    if (format !== "ETSI.RFC3161") return { cms, problem };
    return { cms, problem, stampedTime: timestampOf(cms).time.toISOString() };
  } catch (error) {
    if (!isDamagedData(error)) throw error;
    const problem = "The signature has a format that is not supported, or is damaged.";
    return { ...(cms && { cms }), problem };
  }
}

interface SignedRange {
  readonly signed: Buffer;
  readonly contents: Buffer;
  readonly end: number;
}

/** The signed bytes. What is between the two ranges must be the signature and nothing else. */
function readRange(value: PDFDict, bytes: Buffer): SignedRange | undefined {
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
