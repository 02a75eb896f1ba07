import { z } from "zod";
import { listOwnConnections } from "#lib/connections/manage.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { connectionSchema, serializeConnection } from "./connection-body.ts";

export const listConnectionsOfAccount = defineEndpoint({
  method: "GET",
  path: "/v1/connections",
  operationId: "listConnections",
  tag: "Connections",
  summary: "List the connections, newest first.",
  access: "apiKey",
  scope: "jobs:read",
  responses: {
    200: {
      description: "The connections, without their secrets.",
      body: z.object({ data: z.array(connectionSchema) }),
    },
  },
  async handler({ account }) {
    return { data: (await listOwnConnections(account)).map(serializeConnection) };
  },
});
