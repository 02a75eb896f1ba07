import { z } from "zod";
import { testConnection } from "#lib/connections/test-connection.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { connectionId } from "./connection-body.ts";

export const testConnectionOfAccount = defineEndpoint({
  method: "POST",
  path: "/v1/connections/{id}/test",
  operationId: "testConnection",
  tag: "Connections",
  summary: "Test a connection: write a small file, read its entry and delete it.",
  description:
    "A connection that is only for reading lists files instead. The first test of an SFTP server stores its host key.",
  access: "apiKey",
  scope: "jobs:write",
  params: connectionId,
  responses: {
    200: {
      description: "Whether it works.",
      body: z.object({
        ok: z.boolean(),
        error: z.string().optional().describe("What is wrong, as a sentence."),
      }),
    },
  },
  errors: ["not_found", "rate_limited"],
  handler: ({ account, params }) => testConnection(account, params.id),
});
