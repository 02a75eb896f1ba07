import { changeConnection } from "#lib/connections/manage.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import {
  changedConnection,
  connectionId,
  connectionSchema,
  serializeConnection,
  splitBody,
} from "./connection-body.ts";

export const changeConnectionOfAccount = defineEndpoint({
  method: "PATCH",
  path: "/v1/connections/{id}",
  operationId: "changeConnection",
  tag: "Connections",
  summary: "Change a connection, such as its secret.",
  description:
    "Fields that are not sent stay. With another address, send the password or the key again.",
  access: "apiKey",
  scope: "jobs:write",
  params: connectionId,
  body: { kind: "json", schema: changedConnection, example: { name: "Archive" } },
  responses: { 200: { description: "The connection.", body: connectionSchema } },
  errors: ["invalid_parameter", "not_found"],
  async handler({ account, params, body }) {
    const { settings, fields } = splitBody(body);
    return serializeConnection(await changeConnection(account, params.id, { ...settings, fields }));
  },
});
