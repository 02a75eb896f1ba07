import { db } from "#lib/db/client.ts";
import { revokeApiKey } from "#lib/db/queries/accounts/api-keys.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";

export const revokeOwnKey = defineEndpoint({
  method: "DELETE",
  path: "/v1/account/key",
  operationId: "revokeOwnKey",
  tag: "Account",
  summary: "Revoke the API key of the request.",
  description: "For programs that sign out. The key is rejected from then on.",
  access: "apiKey",
  scope: "account:read",
  responses: { 204: { description: "The key is revoked." } },
  async handler({ account, apiKeyId }) {
    await revokeApiKey(db(), apiKeyId, account.id);
    return new Response(null, { status: 204 });
  },
});
