import { z } from "zod";
import type { UploadRow } from "#lib/db/queries/files/uploads.ts";
import { uploadMethods } from "#lib/db/schema/uploads/uploads.ts";
import { createUpload, type NewUpload, signPut } from "#lib/jobs/accept/uploads.ts";
import { signUpload } from "#lib/jobs/view/links.ts";
import { cleanFileName } from "#lib/net/file-name.ts";
import { fileLimitOf, plans } from "#lib/plans.ts";
import type { AccountCaller } from "../../definition/access.ts";
import { fileTooLarge } from "../../http/store-upload.ts";
import { multipartFields, partsSchema, uploadId } from "./upload-state.ts";

/** What every endpoint that creates an upload has: for keys, for the dashboard and for visitors. */

/**
 * The largest declared size of an upload in bytes: ten terabytes, more than any object store
 * accepts as one file.
 */
const maxUploadBytes = 1e13;

const expiresAt = z.iso.datetime().describe("RFC 3339, UTC.");

const putSchema = z
  .strictObject({
    id: uploadId.describe("Send it as the input of a job."),
    url: z.url().describe("Signed URL that accepts the file once."),
    method: z.literal("PUT"),
    headers: z.record(z.string(), z.string()).describe("Headers to send with the file."),
    expires_at: expiresAt,
  })
  .meta({ id: "Upload", description: "Where to send a file." });

const tusSchema = z
  .strictObject({
    id: uploadId.describe("Send it as the input of a job, once all bytes have arrived."),
    url: z.url().describe("Signed URL of the upload, for clients of tus 1.0."),
    expires_at: expiresAt,
  })
  .meta({ id: "TusUpload", description: "Where to send a file by tus 1.0." });

const multipartSchema = z
  .strictObject({
    id: uploadId.describe("Send it as the input of a job, once the upload is complete."),
    part_bytes: z.int().min(1).describe("The size of each part except the last one."),
    parts: partsSchema,
    complete_url: z.url().describe("Signed URL to POST to when all parts have arrived."),
    abort_url: z.url().describe("Signed URL that deletes the upload by DELETE."),
    expires_at: expiresAt,
  })
  .meta({ id: "MultipartUpload", description: "Where to send a file in parts." });

const createdSchema = z.union([putSchema, tusSchema, multipartSchema]);

export const uploadFileSchema = z.strictObject({
  filename: z.string().min(1).max(255).describe("The file's name."),
  bytes: z.number().int().min(1).max(maxUploadBytes).describe("The file's exact size."),
  method: z
    .enum(uploadMethods)
    .default("put")
    .describe(
      "How you send the file. `put`: by one request. `tus`: by tus 1.0, which goes on after a lost connection. `multipart`: in parts, several at a time.",
    ),
});

export const uploadBody = {
  kind: "json",
  schema: uploadFileSchema,
  example: { filename: "video.mp4", bytes: 73_400_320 },
} as const;

export const uploadResponses = {
  201: { description: "Where to send the file, until `expires_at`.", body: createdSchema },
} as const;

type CreatedUpload = z.input<typeof createdSchema>;

export type UploadFile = z.output<typeof uploadFileSchema>;

/** Creates an upload of the caller. Throws `too_large` for a file that the caller's plan does not allow. */
export async function startUpload({
  body,
  ...caller
}: AccountCaller & { readonly body: UploadFile }): Promise<CreatedUpload> {
  return serializeCreated(await createUploadOf(caller, body));
}

/** Where to send the file of an upload. */
export async function serializeCreated(upload: UploadRow): Promise<CreatedUpload> {
  const { id } = upload;
  const expires_at = upload.expiresAt.toISOString();
  switch (upload.method) {
    case "put":
      return { id, url: await signPut(upload), method: "PUT", headers: {}, expires_at };
    case "tus":
      return { id, url: signUpload(id, upload.expiresAt), expires_at };
    case "multipart":
      return { id, ...(await multipartFields(upload)), expires_at };
  }
}

/** Creates an upload with a file name that is safe. Throws as `startUpload` does. */
export function createUploadOf(
  { account, token }: AccountCaller,
  file: Omit<NewUpload, "token">,
): Promise<UploadRow> {
  const limit = fileLimitOf(plans[account.plan], token?.maxBytes);
  if (limit && file.bytes > limit.bytes) throw fileTooLarge(limit);
  const filename = cleanFileName(file.filename) || "file";
  return createUpload(account, { ...file, filename, token: token ?? null });
}
