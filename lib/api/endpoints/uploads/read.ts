import { db } from "#lib/db/client.ts";
import { findUploadState } from "#lib/db/queries/files/uploads.ts";
import { RequestError } from "#lib/errors.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { uploadParams } from "./upload-params.ts";
import { toUploadState, uploadStateSchema } from "./upload-state.ts";

export const readUpload = defineEndpoint({
  method: "GET",
  path: "/v1/uploads/{id}",
  operationId: "readUpload",
  tag: "Jobs",
  summary: "Read how much of an upload has arrived, and how to go on.",
  description: "An upload that has expired can be read for another day.",
  access: "apiKey",
  scope: "jobs:read",
  forTokens: true,
  params: uploadParams,
  responses: { 200: { description: "The upload.", body: uploadStateSchema } },
  async handler({ account, token, params: { id } }) {
    const upload = await findUploadState(db(), account.id, id);
    const isOwn = !token || upload?.tokenId === token.id;
    if (!upload || !isOwn) throw new RequestError("not_found", "There is no such upload.");
    return toUploadState(upload);
  },
});
