import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { findOpenUpload, markReceived } from "#lib/db/queries/files/uploads.ts";
import { RequestError } from "#lib/errors.ts";
import { createUpload, uploadKey } from "#lib/jobs/accept/uploads.ts";
import { verifyUploadLink } from "#lib/jobs/view/links.ts";
import { cleanFileName } from "#lib/net/file-name.ts";
import { plans } from "#lib/plans.ts";
import { storage } from "#lib/storage/index.ts";
import { bodyStream, readJson } from "./http/body.ts";
import type { KeyedContext, RequestContext } from "./http/route.ts";
import { describeIssue, inputSchema, reportInput } from "./http/schema-messages.ts";
import { fileTooLarge, storeUpload } from "./http/store-upload.ts";
import { signedQuery } from "./outputs.ts";

/** Ten terabytes, more than a store takes as one file. */
const maxUploadBytes = 1e13;

/** Body of `POST /v1/uploads`. */
export const uploadRequest = z.strictObject({
  filename: z.string().min(1).max(255).describe("What the file is called."),
  bytes: z.number().int().min(1).max(maxUploadBytes).describe("The file's exact size."),
});

/** `POST /v1/uploads`: announces a file; the answer says where to `PUT` it. */
export async function handleCreateUpload({ account, request }: KeyedContext): Promise<Response> {
  const parsed = uploadRequest.safeParse(await readJson(request), reportInput);
  if (!parsed.success) {
    const sentence = describeIssue(parsed.error, inputSchema(uploadRequest));
    throw new RequestError("invalid_parameter", sentence);
  }
  const { bytes } = parsed.data;
  const { maxFileBytes } = plans[account.plan];
  if (maxFileBytes !== null && bytes > maxFileBytes) throw fileTooLarge(maxFileBytes);
  const filename = cleanFileName(parsed.data.filename) || "file";
  const { id, url, expiresAt } = await createUpload(account, { filename, bytes });
  const expires_at = expiresAt.toISOString();
  return Response.json({ id, url, method: "PUT", headers: {}, expires_at }, { status: 201 });
}

/** `PUT /uploads/{id}`: takes the file at its signed address, once, and exactly as announced. */
export async function receiveUpload({ params, request, url }: RequestContext): Promise<Response> {
  const id = params.id ?? "";
  const upload = verifyUploadLink(id, signedQuery(url))
    ? await findOpenUpload(db(), id)
    : undefined;
  if (!upload) {
    const sentence = "The upload address is not valid or has expired; make a new one.";
    throw new RequestError("forbidden", sentence);
  }
  if (upload.receivedAt) throw new RequestError("conflict", "This upload has arrived already.");
  const wrongSize = () =>
    new RequestError(
      "invalid_input",
      `The file must have exactly the ${upload.bytes} bytes that were announced.`,
    );
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) !== upload.bytes) throw wrongSize();
  const hints = { filename: upload.filename, contentType: "" };
  const file = await storeUpload(uploadKey(id), bodyStream(request), hints, upload.bytes).catch(
    (error: unknown) => {
      const isTooLong = error instanceof RequestError && error.code === "too_large";
      throw isTooLong ? wrongSize() : error;
    },
  );
  if (file.bytes !== upload.bytes) {
    await storage().removeAll(`uploads/${id}`);
    throw wrongSize();
  }
  await markReceived(db(), id, { type: file.type.id, sha256: file.sha256 });
  return new Response(null, { status: 204 });
}
