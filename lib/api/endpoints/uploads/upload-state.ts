import { z } from "zod";
import type { UploadRow } from "#lib/db/queries/files/uploads.ts";
import { uploadMethods } from "#lib/db/schema/uploads/uploads.ts";
import { findReceivedUpload } from "#lib/jobs/accept/uploads.ts";
import {
  listMissingParts,
  listParts,
  signPart,
  type UploadPart,
} from "#lib/jobs/uploads/upload-parts.ts";
import { signUpload, signUploadEnd } from "#lib/jobs/view/links.ts";

export const uploadId = z.string().regex(/^upload_[0-9A-Za-z]{24}$/);

export const partsSchema = z
  .array(
    z.strictObject({
      number: z.int().min(1).describe("From 1, in the order of the file."),
      url: z.url().describe("Signed URL that accepts the part by PUT."),
    }),
  )
  .describe("Where to send the parts.");

export const uploadStateSchema = z
  .strictObject({
    id: uploadId.describe("The input of a job, once the upload is complete."),
    filename: z.string(),
    bytes: z.int().min(1).describe("The file's size."),
    method: z.enum(uploadMethods).describe("How the file is sent."),
    status: z
      .enum(["waiting", "receiving", "complete", "expired"])
      .describe("`waiting`: nothing has arrived. `expired`: it was deleted, or its time is over."),
    bytes_received: z.int().min(0).describe("What has arrived and is stored."),
    created_at: z.iso.datetime().describe("RFC 3339, UTC."),
    expires_at: z.iso.datetime().describe("RFC 3339, UTC."),
    url: z.url().optional().describe("Method tus, until it is complete: where to go on."),
    part_bytes: z.int().optional().describe("Method multipart, until it is complete."),
    parts: partsSchema.optional().describe("Method multipart: the parts that are missing."),
    complete_url: z.url().optional().describe("Method multipart, until it is complete."),
    abort_url: z.url().optional().describe("Method multipart, until it is complete."),
  })
  .meta({ id: "UploadState", description: "How much of a file has arrived." });

type UploadState = z.input<typeof uploadStateSchema>;

/** An upload as the API shows it. */
export async function toUploadState(upload: UploadRow): Promise<UploadState> {
  const { id, filename, bytes, method, createdAt, expiresAt } = upload;
  const shared = {
    id,
    filename,
    bytes,
    method,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
  if (expiresAt <= new Date()) return { ...shared, status: "expired", bytes_received: 0 };
  if (await isComplete(upload)) return { ...shared, status: "complete", bytes_received: bytes };
  const missing = method === "multipart" ? await listMissingParts(upload) : [];
  const received = method === "multipart" ? bytes - sumBytes(missing) : upload.receivedBytes;
  return {
    ...shared,
    status: received > 0 ? "receiving" : "waiting",
    bytes_received: received,
    ...(method === "tus" && { url: signUpload(id, expiresAt) }),
    ...(method === "multipart" && (await multipartFields(upload, missing))),
  };
}

/** What a client needs to send the parts of an upload. */
export async function multipartFields(upload: UploadRow, parts = listParts(upload)) {
  const { id, expiresAt, partBytes } = upload;
  const signed = parts.map(async (part) => ({
    number: part.number,
    url: await signPart(upload, part),
  }));
  return {
    part_bytes: partBytes ?? 0,
    parts: await Promise.all(signed),
    complete_url: signUploadEnd(id, "complete", expiresAt),
    abort_url: signUploadEnd(id, "abort", expiresAt),
  };
}

async function isComplete({ accountId, id, receivedAt }: UploadRow): Promise<boolean> {
  return receivedAt !== null || (await findReceivedUpload(accountId, id)) !== undefined;
}

const sumBytes = (parts: readonly UploadPart[]) => parts.reduce((sum, { bytes }) => sum + bytes, 0);
