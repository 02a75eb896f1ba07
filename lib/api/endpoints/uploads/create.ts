import { db } from "#lib/db/client.ts";
import { findUploadState } from "#lib/db/queries/files/uploads.ts";
import { AlreadyCreatedError } from "#lib/jobs/accept/already-created-error.ts";
import { beginUpload, type SavedUpload } from "#lib/jobs/accept/uploads.ts";
import type { AccountCaller } from "../../definition/access.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import type { RequestContext } from "../../definition/endpoint.ts";
import {
  emptyBody,
  findSavedResponse,
  type IdempotentRequest,
  parseIdempotency,
  replayedHeader,
  stillInFlight,
  withoutConcurrentRepeats,
} from "../../job-creation/idempotency.ts";
import {
  createUploadOf,
  serializeCreated,
  type UploadFile,
  uploadBody,
  uploadResponses,
} from "./start-upload.ts";

export const createUpload = defineEndpoint({
  method: "POST",
  path: "/v1/uploads",
  operationId: "createUpload",
  tag: "Jobs",
  summary: "Create an upload: a URL to which you send a file.",
  description:
    "For files that are larger than your host's own limit on request bodies: `uploads.form_bytes` of `GET /v1/account`.",
  access: "apiKey",
  scope: "jobs:write",
  forTokens: true,
  headers: ["IdempotencyKey"],
  body: uploadBody,
  responses: { 201: { ...uploadResponses[201], headers: ["Idempotency-Replayed"] } },
  errors: ["conflict", "idempotency_conflict", "usage_limit_reached"],
  handler: (context) => {
    const { request, account, token } = context;
    return withoutConcurrentRepeats(request, account.id, token?.id, () => respondOnce(context));
  },
});

/** Creates the upload, unless an earlier request with the same `Idempotency-Key` did. */
async function respondOnce({
  request,
  body,
  ...caller
}: RequestContext & AccountCaller & { readonly body: UploadFile }): Promise<Response> {
  const { account, token } = caller;
  const readContent = () => ({ ...emptyBody, fields: body });
  const idempotency = parseIdempotency(request, "create upload", readContent, token?.id);
  const replayed = idempotency && (await replayUpload(account.id, idempotency));
  if (replayed) return replayed;
  try {
    const upload = await createUploadOf(caller, { ...body, idempotency });
    return Response.json(await serializeCreated(upload), { status: 201 });
  } catch (error) {
    if (!(error instanceof AlreadyCreatedError) || !idempotency) throw error;
    const earlier = await replayUpload(account.id, idempotency);
    if (!earlier) throw stillInFlight();
    return earlier;
  }
}

/** The response with the upload that the same request created before. */
async function replayUpload(
  accountId: string,
  idempotency: IdempotentRequest,
): Promise<Response | undefined> {
  const saved = await findSavedResponse(accountId, idempotency);
  if (!saved) return undefined;
  // The saved body of a request for an upload.
  const { id } = saved.body as SavedUpload;
  const upload = await findUploadState(db(), accountId, id);
  // Its row is kept for longer than the key.
  if (!upload) throw new Error("the upload of an Idempotency-Key has no row");
  const body = await serializeCreated(await beginUpload(upload));
  return Response.json(body, { status: saved.status, headers: replayedHeader });
}
