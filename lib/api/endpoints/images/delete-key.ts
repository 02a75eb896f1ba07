import { z } from "zod";
import { RequestError } from "#lib/errors.ts";
import { deletePair } from "#lib/images/keys/pairs.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";

export const deleteImageKey = defineEndpoint({
  method: "DELETE",
  path: "/v1/images/keys/{id}",
  operationId: "deleteImageKey",
  tag: "Image",
  summary: "Delete a key that signs the URLs of pictures.",
  description: "Its URLs are rejected from then on.",
  access: "apiKey",
  scope: "jobs:write",
  params: z.strictObject({
    id: z
      .string()
      .regex(/^ik_[0-9A-Za-z]{24}$/, "No key with this id exists.")
      .describe("The id of the key."),
  }),
  responses: { 204: { description: "The key is deleted." } },
  errors: ["not_found"],
  async handler({ account, params }) {
    if (!(await deletePair(account.id, params.id))) {
      throw new RequestError("not_found", "No key with this id exists.");
    }
    return new Response(null, { status: 204 });
  },
});
