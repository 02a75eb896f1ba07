import { z } from "zod";
import { listPairs } from "#lib/images/keys/pairs.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";

export const listImageKeys = defineEndpoint({
  method: "GET",
  path: "/v1/images/keys",
  operationId: "listImageKeys",
  tag: "Image",
  summary: "List the keys that sign the URLs of pictures, newest first.",
  access: "apiKey",
  scope: "jobs:read",
  responses: {
    200: {
      description: "The keys, without their secrets.",
      body: z.object({
        data: z.array(
          z.object({
            id: z.string(),
            unsigned: z.boolean().describe("Whether URLs without a signature are answered."),
            created_at: z.string().describe("When the key was created."),
          }),
        ),
      }),
    },
  },
  async handler({ account }) {
    const pairs = await listPairs(account.id);
    return {
      data: pairs.map(({ id, unsigned, createdAt }) => ({
        id,
        unsigned,
        created_at: createdAt.toISOString(),
      })),
    };
  },
});
