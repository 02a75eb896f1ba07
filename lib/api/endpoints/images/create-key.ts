import { z } from "zod";
import { createPair } from "#lib/images/keys/pairs.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";

export const createImageKey = defineEndpoint({
  method: "POST",
  path: "/v1/images/keys",
  operationId: "createImageKey",
  tag: "Image",
  summary: "Create a key that signs the URLs of pictures.",
  description:
    "The key and the salt are for imgproxy's clients; thumbor's clients take the key, as text. Both are shown once. An account has at most 100 keys.",
  access: "apiKey",
  scope: "jobs:write",
  body: {
    kind: "json",
    schema: z.strictObject({
      unsigned: z
        .boolean()
        .default(false)
        .describe("Whether URLs with `unsafe` or `insecure` in place of a signature are answered."),
    }),
    example: {},
  },
  responses: {
    201: {
      description: "The key.",
      body: z.object({
        id: z.string().describe("The id, which is part of each URL."),
        key: z.string().describe("The key in hex."),
        salt: z.string().describe("The salt in hex."),
      }),
    },
  },
  errors: ["conflict"],
  handler: ({ account, body }) => createPair(account.id, body),
});
