import { z } from "zod";
import { revisionChanges } from "./revision-changes.ts";

/** What document/verify-signatures reports of a signature. */

const text = z.string().nullable();

const trust = z
  .enum(["trusted", "self_signed", "unknown_issuer", "invalid_certificate"])
  .nullable();

const trustProblem = text.describe(
  "Why the certificate is not trusted, although a known authority has issued it.",
);

export const signatureResult = z.strictObject({
  field: z.string().describe("The name of the form field."),
  signer: text.describe("The name in the certificate."),
  issuer: text.describe("Who issued the certificate."),
  time: text.describe("RFC 3339. As the signer states it, unless the format is a time stamp."),
  reason: text,
  location: text,
  algorithm: text.describe("Such as `RSA 2048, SHA-256`."),
  format: z.string().describe("Such as `ETSI.CAdES.detached`."),
  valid: z
    .boolean()
    .describe("Whether the signed bytes are unchanged and the signature fits the certificate."),
  problem: text.describe("Why it is not valid."),
  covers_whole_document: z.boolean(),
  changed_after: z.array(z.enum(revisionChanges)).describe("What was changed after it."),
  trust: trust.describe(
    "`trusted` if a known authority has issued the certificate for signing documents and all certificates were valid: at the time of a trusted time stamp, or else at the stated time and now.",
  ),
  trust_problem: trustProblem,
  has_timestamp: z.boolean(),
  timestamp: z
    .strictObject({
      time: text.describe("RFC 3339. When the signature existed, as the authority states it."),
      authority: text.describe("The name in the certificate of the authority."),
      valid: z
        .boolean()
        .describe("Whether it is the time stamp of this signature and fits its own certificate."),
      problem: text.describe("Why it is not valid."),
      trust: trust.describe(
        "Whether a known authority has issued its certificate for time stamps.",
      ),
      trust_problem: trustProblem,
    })
    .nullable()
    .describe("The time stamp of the signature."),
  certificate: z
    .strictObject({
      subject: z.string(),
      issuer: z.string(),
      serial: z.string(),
      valid_from: z.string().describe("RFC 3339."),
      valid_to: z.string().describe("RFC 3339."),
      expired: z.boolean().describe("Whether it had expired at the time of the signature."),
    })
    .nullable(),
});

export type SignatureResult = z.output<typeof signatureResult>;

/** The result of the operation. */
export const signaturesResult = z.strictObject({
  signatures: z.array(signatureResult).describe("The signatures, in the order of the fields."),
});
