import { createHmac, timingSafeEqual } from "node:crypto";
import type { JobOutput } from "#lib/db/schema/jobs.ts";
import { env } from "#lib/env.ts";
import { acceptedSecrets, serviceSecret } from "#lib/service-secret.ts";

/** How long a signed URL is valid. Reading the job again creates a new one. */
const lifetimeSeconds = 3600;

/**
 * The signed URL of an output: HMAC-SHA256 in hex, last in the URL, over job, index and expiry. It
 * needs no API key, so that it can be given to a browser or a webhook receiver.
 */
export function signOutput(
  jobId: string,
  index: number,
  output: Pick<JobOutput, "filename">,
  until: Date | null,
): { url: string; expiresAt: Date } {
  const expires = expiryOf(until);
  const path = `/files/${jobId}/${index}/${encodeURIComponent(output.filename)}`;
  const signature = sign(`output\n${jobId}\n${index}`, expires);
  return {
    url: `${env.APP_URL}${path}?expires=${expires}&signature=${signature}`,
    expiresAt: new Date(expires * 1000),
  };
}

/**
 * The signed URL of an output for the dashboard, as a path on its host. It is never redirected to the
 * store: the pages load nothing from other hosts.
 */
export function signPreview(
  jobId: string,
  index: number,
  output: { readonly filename: string },
  until: Date | null,
): string {
  const expires = expiryOf(until);
  const path = `/files/${jobId}/preview/${index}/${encodeURIComponent(output.filename)}`;
  return `${path}?expires=${expires}&signature=${sign(`preview\n${jobId}\n${index}`, expires)}`;
}

/**
 * The signed path of what the step `index` of a chain handed to the next one. Like `signPreview`, it is
 * never redirected to the store.
 */
export function signStep(
  jobId: string,
  index: number,
  output: { readonly filename: string },
  until: Date | null,
): { readonly path: string; readonly expiresAt: Date } {
  const expires = expiryOf(until);
  const path = `/files/${jobId}/step/${index}/${encodeURIComponent(output.filename)}`;
  const signature = sign(`step\n${jobId}\n${index}`, expires);
  return {
    path: `${path}?expires=${expires}&signature=${signature}`,
    expiresAt: new Date(expires * 1000),
  };
}

/** The signed URL of a stored input, as a path on the host of the dashboard. */
export function signInput(
  jobId: string,
  part: string,
  input: { readonly filename: string },
  until: Date | null,
): string {
  const expires = expiryOf(until);
  const path = `/files/${jobId}/input/${part}/${encodeURIComponent(input.filename)}`;
  return `${path}?expires=${expires}&signature=${sign(`input\n${jobId}\n${part}`, expires)}`;
}

/** An hour from now or `until`, the earlier one, in seconds since 1970. */
function expiryOf(until: Date | null): number {
  const last = until?.getTime() ?? Number.POSITIVE_INFINITY;
  return Math.floor(Math.min(Date.now() + lifetimeSeconds * 1000, last) / 1000);
}

/** The signed URL for the `PUT` of an upload. */
export function signUpload(id: string, expiresAt: Date): string {
  const expires = Math.floor(expiresAt.getTime() / 1000);
  const signature = sign(`upload\n${id}`, expires);
  return `${env.APP_URL}/uploads/${id}?expires=${expires}&signature=${signature}`;
}

/** The signed URL for the `PUT` of one part of an upload. */
export function signUploadPart(id: string, number: number, expiresAt: Date): string {
  const expires = Math.floor(expiresAt.getTime() / 1000);
  const signature = sign(`upload-part\n${id}\n${number}`, expires);
  return `${env.APP_URL}/uploads/${id}/parts/${number}?expires=${expires}&signature=${signature}`;
}

/** What is done with the parts of an upload at its end. */
export type UploadEnd = "complete" | "abort";

/** The signed URL that makes the parts of an upload a file, or deletes them. */
export function signUploadEnd(id: string, end: UploadEnd, expiresAt: Date): string {
  const expires = Math.floor(expiresAt.getTime() / 1000);
  const signature = sign(`upload-${end}\n${id}`, expires);
  return `${env.APP_URL}/uploads/${id}/${end}?expires=${expires}&signature=${signature}`;
}

/** The query of a signed URL. */
export interface SignedQuery {
  readonly expires: string | null;
  readonly signature: string | null;
}

/** Whether the URL of an output has a valid signature and has not expired. */
export function verifyOutputLink(jobId: string, index: number, query: SignedQuery): boolean {
  return verify(`output\n${jobId}\n${index}`, query);
}

/** Whether the dashboard's URL of an output has a valid signature and has not expired. */
export function verifyPreviewLink(jobId: string, index: number, query: SignedQuery): boolean {
  return verify(`preview\n${jobId}\n${index}`, query);
}

/** Whether the URL of a step's output has a valid signature and has not expired. */
export function verifyStepLink(jobId: string, index: number, query: SignedQuery): boolean {
  return verify(`step\n${jobId}\n${index}`, query);
}

/** Whether the URL of an input has a valid signature and has not expired. */
export function verifyInputLink(jobId: string, part: string, query: SignedQuery): boolean {
  return verify(`input\n${jobId}\n${part}`, query);
}

/** Whether the URL of an upload has a valid signature and has not expired. */
export function verifyUploadLink(id: string, query: SignedQuery): boolean {
  return verify(`upload\n${id}`, query);
}

/**
 * Whether the URL of an upload has a valid signature. It may have expired: clients of tus must learn that
 * their upload is gone, and not that they may not read it.
 */
export function isUploadLink(id: string, query: SignedQuery): boolean {
  return hasSignature(`upload\n${id}`, query);
}

/** Whether the URL of a part of an upload has a valid signature and has not expired. */
export function verifyUploadPartLink(id: string, number: string, query: SignedQuery): boolean {
  return verify(`upload-part\n${id}\n${number}`, query);
}

/** Whether the URL that ends an upload has a valid signature and has not expired. */
export function verifyUploadEndLink(id: string, end: UploadEnd, query: SignedQuery): boolean {
  return verify(`upload-${end}\n${id}`, query);
}

function verify(subject: string, query: SignedQuery): boolean {
  return hasSignature(subject, query) && Number(query.expires) * 1000 > Date.now();
}

function hasSignature(subject: string, query: SignedQuery): boolean {
  const expires = Number(query.expires);
  if (!query.signature || !Number.isSafeInteger(expires)) return false;
  const actual = Buffer.from(query.signature);
  return acceptedSecrets().some((secret) => {
    const expected = Buffer.from(sign(subject, expires, secret));
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  });
}

function sign(subject: string, expires: number, secret = serviceSecret()): string {
  return createHmac("sha256", secret).update(`${subject}\n${expires}`).digest("hex");
}
