import { z } from "zod";
import { db } from "#lib/db/client.ts";
import { listApiKeys } from "#lib/db/queries/accounts/api-keys.ts";
import { RequestError } from "#lib/errors.ts";
import { hostUploads } from "#lib/jobs/accept/host-uploads.ts";
import { offeredPlan, planNames } from "#lib/plans.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";

const accountSchema = z
  .strictObject({
    email: z.string(),
    plan: z.enum(planNames),
    api_key: z
      .strictObject({
        id: z.string().regex(/^key_[0-9A-Za-z]{24}$/),
        name: z.string(),
        created_at: z.iso.datetime().describe("RFC 3339, UTC."),
        expires_at: z.iso.datetime().nullable().describe("RFC 3339, UTC. Null: never."),
      })
      .describe("The API key of the request, without the key itself."),
    uploads: z
      .strictObject({
        direct: z
          .boolean()
          .describe(
            "Whether uploads go to the storage itself. If not, they pass through this host, whose limit then applies to them too.",
          ),
        form_bytes: z
          .int()
          .nullable()
          .describe(
            "The most bytes that a request with files may have on this host. Create an upload for larger files. Null: only the limits of the plan apply.",
          ),
      })
      .describe("How to send files to this host."),
  })
  .meta({ id: "Account", description: "The account of an API key." });

export const readAccount = defineEndpoint({
  method: "GET",
  path: "/v1/account",
  operationId: "readAccount",
  tag: "Account",
  summary: "Read the account and the API key of the request.",
  access: "apiKey",
  scope: "account:read",
  responses: { 200: { description: "The account.", body: accountSchema } },
  async handler({ account, apiKeyId }) {
    const key = (await listApiKeys(db(), account.id)).find(({ id }) => id === apiKeyId);
    if (!key) throw new RequestError("unauthorized", "The API key was deleted.");
    return {
      email: account.email,
      plan: offeredPlan(account.plan),
      api_key: {
        id: key.id,
        name: key.name,
        created_at: key.createdAt.toISOString(),
        expires_at: key.expiresAt?.toISOString() ?? null,
      },
      uploads: { direct: hostUploads.direct, form_bytes: hostUploads.formBytes },
    };
  },
});
