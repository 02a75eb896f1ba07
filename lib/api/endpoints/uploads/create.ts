import { z } from "zod";
import { createUpload as createUploadFor } from "#lib/jobs/accept/uploads.ts";
import { cleanFileName } from "#lib/net/file-name.ts";
import { plans } from "#lib/plans.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { fileTooLarge } from "../../http/store-upload.ts";

/** Ten terabytes: more than any object store accepts as one file. */
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

export const createUpload = defineEndpoint({
  method: "POST",
  path: "/v1/uploads",
  operationId: "createUpload",
  tag: "Jobs",
  summary: "Create an upload: a URL to which you send a file.",
  description: "For files that are larger than your host's own limit on request bodies.",
  access: "apiKey",
  scope: "jobs:write",
  body: {
    kind: "json",
    schema: z.strictObject({
      filename: z.string().min(1).max(255).describe("The file's name."),
      bytes: z.number().int().min(1).max(maxUploadBytes).describe("The file's exact size."),
    }),
    example: { filename: "video.mp4", bytes: 73_400_320 },
  },
  responses: {
    201: { description: "Where to send the file, within 24 hours.", body: uploadSchema },
  },
  errors: ["usage_limit_reached"],
  async handler({ account, body }) {
    const { maxFileBytes } = plans[account.plan];
    if (maxFileBytes !== null && body.bytes > maxFileBytes) throw fileTooLarge(maxFileBytes);
    const filename = cleanFileName(body.filename) || "file";
    const file = { filename, bytes: body.bytes };
    const { id, url, expiresAt } = await createUploadFor(account, file);
    const expires_at = expiresAt.toISOString();
    return { id, url, method: "PUT" as const, headers: {}, expires_at };
  },
});
