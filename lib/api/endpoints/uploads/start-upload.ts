import { z } from "zod";
import { createUpload } from "#lib/jobs/accept/uploads.ts";
import { cleanFileName } from "#lib/net/file-name.ts";
import { plans } from "#lib/plans.ts";
import type { AccountCaller } from "../../definition/access.ts";
import { fileTooLarge } from "../../http/store-upload.ts";

/** What every endpoint that creates an upload has: for keys, for the dashboard and for visitors. */

/**
 * The largest declared size of an upload in bytes: ten terabytes, more than any object store
 * accepts as one file.
 */
const maxUploadBytes = 1e13;

const uploadSchema = z
  .strictObject({
    id: z
      .string()
      .regex(/^upload_[0-9A-Za-z]{24}$/)
      .describe("Send it as the input of a job."),
    url: z.url().describe("Signed URL that accepts the file once."),
    method: z.literal("PUT"),
    headers: z.record(z.string(), z.string()).describe("Headers to send with the file."),
    expires_at: z.iso.datetime().describe("RFC 3339, UTC."),
  })
  .meta({ id: "Upload", description: "Where to send a file." });

const fileSchema = z.strictObject({
  filename: z.string().min(1).max(255).describe("The file's name."),
  bytes: z.number().int().min(1).max(maxUploadBytes).describe("The file's exact size."),
});

export const uploadBody = {
  kind: "json",
  schema: fileSchema,
  example: { filename: "video.mp4", bytes: 73_400_320 },
} as const;

export const uploadResponses = {
  201: { description: "Where to send the file, within 24 hours.", body: uploadSchema },
} as const;

/** Creates an upload of the caller. Throws `too_large` for a file that the caller's plan does not allow. */
export async function startUpload({
  account,
  body,
}: AccountCaller & { readonly body: z.output<typeof fileSchema> }): Promise<
  z.input<typeof uploadSchema>
> {
  const { maxFileBytes } = plans[account.plan];
  if (maxFileBytes !== null && body.bytes > maxFileBytes) throw fileTooLarge(maxFileBytes);
  const filename = cleanFileName(body.filename) || "file";
  const file = { filename, bytes: body.bytes };
  const { id, url, expiresAt } = await createUpload(account, file);
  return { id, url, method: "PUT", headers: {}, expires_at: expiresAt.toISOString() };
}
