import { z } from "zod";
import { limitAttempts } from "#lib/auth/limit-attempts.ts";
import { db } from "#lib/db/client.ts";
import { findUnexpiredUpload } from "#lib/db/queries/files/uploads.ts";
import type { UploadMethod } from "#lib/db/schema/uploads/uploads.ts";
import { RequestError } from "#lib/errors.ts";
import { createToken } from "#lib/ids.ts";
import { recordReceived } from "#lib/jobs/accept/upload-completed.ts";
import { uploadAttemptFolder, uploadKey } from "#lib/jobs/storage-keys.ts";
import { verifyUploadLink } from "#lib/jobs/view/links.ts";
import { log } from "#lib/log.ts";
import { storage } from "#lib/storage/index.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { crossOriginHeaderNames } from "../../definition/response-headers.ts";
import { bodyStream } from "../../http/body.ts";
import { receiveUpload } from "../../http/slots/upload-slots.ts";
import { storeUpload } from "../../http/store-upload.ts";
import { respondToAnyOrigin } from "./cross-origin-uploads.ts";

export const sendUpload = defineEndpoint({
  method: "PUT",
  path: "/uploads/{id}",
  operationId: "sendUpload",
  tag: "Jobs",
  summary: "Send the file of an upload to its signed URL, once.",
  access: "signedLink",
  verifyLink: ({ id = "" }, signature) => verifyUploadLink(id, signature),
  linkError,
  params: z.strictObject({
    id: z
      .string()
      .regex(/^upload_[0-9A-Za-z]{24}$/, "There is no such upload.")
      .describe("The upload's id."),
  }),
  body: {
    kind: "stream",
    description: "The bytes of the file, exactly as many as the upload declares.",
    content: {
      "*/*": { schema: { type: "string", contentMediaType: "application/octet-stream" } },
    },
  },
  responses: { 204: { description: "The file is stored.", headers: crossOriginHeaderNames } },
  errors: ["conflict", "rate_limited"],
  anyOrigin: true,
  handler: ({ params: { id }, ...context }) =>
    respondToAnyOrigin(context, () => receiveFile(id, context.request)),
});

async function receiveFile(id: string, request: Request): Promise<Response> {
  const upload = await findUnexpiredUpload(db(), id);
  if (!upload) throw linkError();
  if (upload.method !== "put") throw otherMethod(upload.method);
  if (upload.receivedAt) throw alreadyReceived();
  await limitAttempts([{ kind: "upload", subject: id }], tooManyAttempts);
  const { bytes, filename } = upload;
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) !== bytes) throw wrongSize(bytes);
  const hints = { filename, contentType: "" };
  const limit = { bytes, owner: "upload" } as const;
  // A key of its own: the file of a slower request must not replace the one that was received first.
  const attempt = createToken();
  const key = uploadKey({ id, attempt });
  const discard = () => storage().removeAll(uploadAttemptFolder(id, attempt));
  const store = () => storeUpload(key, bodyStream(request), hints, limit);
  const file = await receiveUpload(upload.accountId, store).catch(async (error: unknown) => {
    if (error instanceof RequestError) throw error.code === "too_large" ? wrongSize(bytes) : error;
    const isOpen = await findUnexpiredUpload(db(), id).catch(() => true);
    if (isOpen) throw error;
    // What the storage reports of a file that was deleted meanwhile says nothing to the caller.
    log.info({ err: error, upload: id }, "upload not received before its end");
    throw linkError();
  });
  if (file.bytes !== bytes) {
    await discard();
    throw wrongSize(bytes);
  }
  const { type, sha256 } = file;
  if (!(await recordReceived(upload, { type: type.id, sha256, attempt }))) {
    await discard();
    throw (await findUnexpiredUpload(db(), id)) ? alreadyReceived() : linkError();
  }
  return new Response(null, { status: 204 });
}

function linkError(): RequestError {
  const message = "This upload URL is not valid or has expired. Create a new upload.";
  return new RequestError("forbidden", message);
}

function alreadyReceived(): RequestError {
  return new RequestError("conflict", "The file of this upload was already received.");
}

function otherMethod(method: UploadMethod): RequestError {
  const message = `This upload was created with the method ${method}: its file is not sent by one PUT.`;
  return new RequestError("conflict", message);
}

function tooManyAttempts(seconds: number): string {
  return `The file of this upload was sent too often. Try again in ${seconds} s.`;
}

function wrongSize(bytes: number): RequestError {
  const message = `The file must have exactly ${bytes} bytes, the declared size of the upload.`;
  return new RequestError("invalid_input", message);
}
