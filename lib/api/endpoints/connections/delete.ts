import { removeConnection } from "#lib/connections/manage.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { connectionId } from "./connection-body.ts";

export const deleteConnectionOfAccount = defineEndpoint({
  method: "DELETE",
  path: "/v1/connections/{id}",
  operationId: "deleteConnection",
  tag: "Connections",
  summary: "Delete a connection.",
  description: "Jobs that still need it fail.",
  access: "apiKey",
  scope: "jobs:write",
  params: connectionId,
  responses: { 204: { description: "The connection is deleted." } },
  errors: ["not_found"],
  async handler({ account, params }) {
    await removeConnection(account, params.id);
    return new Response(null, { status: 204 });
  },
});
