import { readConnection } from "#lib/connections/manage.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { connectionId, connectionSchema, serializeConnection } from "./connection-body.ts";

export const readConnectionOfAccount = defineEndpoint({
  method: "GET",
  path: "/v1/connections/{id}",
  operationId: "readConnection",
  tag: "Connections",
  summary: "Read a connection.",
  access: "apiKey",
  scope: "jobs:read",
  params: connectionId,
  responses: { 200: { description: "The connection.", body: connectionSchema } },
  errors: ["not_found"],
  async handler({ account, params }) {
    return serializeConnection(await readConnection(account, params.id));
  },
});
