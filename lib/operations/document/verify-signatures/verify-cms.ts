import { createHash } from "node:crypto";
import { type CmsProblem, checkCms } from "#lib/formats/pdf/signatures/check-cms.ts";
import { objectIds } from "#lib/formats/pdf/signatures/object-ids.ts";
import { publicKeyOf } from "#lib/formats/pdf/signatures/read-certificate.ts";
import type { Cms } from "#lib/formats/pdf/signatures/read-cms.ts";
import { isTimestampOf, timestampOf } from "#lib/formats/pdf/signatures/read-timestamp.ts";

/** Checks the signature of a PDF and describes it. */

const changed = "The signed bytes have changed since the document was signed.";

const messages: Readonly<Record<CmsProblem, string>> = {
  no_signer: "The signature does not contain the certificate of its signer.",
  hash: "The hash algorithm is not supported.",
  changed,
  certificate: "The signature was made for another certificate than the one it contains.",
  forged: "The signature was not made with the key of the certificate.",
};

/**
 * Returns undefined if the signature fits the signed bytes; otherwise what is wrong. Throws
 * `DamagedDataError` if the format is a time stamp and the content is none.
 */
export function findCmsProblem(cms: Cms, signed: Buffer, format: string): string | undefined {
  const problem = checkCms(cms, contentOf(cms, signed, format));
  return problem && messages[problem];
}

/** What the signature must cover. A format that does not say otherwise is of the signed bytes themselves. */
function contentOf(cms: Cms, signed: Buffer, format: string): Buffer {
  if (format === "ETSI.RFC3161") {
    const timestamp = timestampOf(cms);
    if (isTimestampOf(timestamp, signed)) return timestamp.content;
  }
  return format === "adbe.pkcs7.sha1" ? createHash("sha1").update(signed).digest() : signed;
}

/** Describes an algorithm as `RSA 2048, SHA-256` or `EC prime256v1, SHA-256`. */
export function describeAlgorithm({ signer, digestAlgorithm, signatureAlgorithm }: Cms) {
  const key = signer && publicKeyOf(signer);
  if (!key) return null;
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const padding = signatureAlgorithm.algorithmId === objectIds.rsaPss ? "RSA-PSS" : "RSA";
  const isRsa = type === "rsa" || type === "rsa-pss";
  const text = isRsa
    ? `${padding} ${details?.modulusLength ?? ""}`
    : `${type?.toUpperCase()} ${details?.namedCurve ?? ""}`;
  return `${text.trim()}, ${(digestAlgorithm ?? "unknown hash").replace("sha", "SHA-").replace("SHA-3-", "SHA3-")}`;
}
