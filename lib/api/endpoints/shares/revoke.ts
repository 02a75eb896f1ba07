import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { deleteShare } from "#lib/db/queries/files/shares.ts";
import { RequestError } from "#lib/errors.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";

export const revokeShare = defineEndpoint({
  method: "DELETE",
  path: "/dashboard/api/shares/{id}",
  operationId: "revokeShare",
  tag: "Jobs",
  summary: "End a public page of a result at once.",
  internal: true,
  access: "session",
  params: z.strictObject({
    id: z.string().regex(/^shr_[0-9A-Za-z]{24}$/, "There is no such share."),
  }),
  responses: { 204: { description: "The page and its files are no longer public." } },
  errors: ["not_found"],
  async handler({ account, params }) {
    if (await deleteShare(db(), account.id, params.id)) return undefined;
    throw new RequestError("not_found", "There is no such share. It may have expired.");
  },
});
