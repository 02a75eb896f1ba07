import { createConnection } from "#lib/connections/manage.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import {
  connectionSchema,
  newConnection,
  serializeConnection,
  splitBody,
} from "./connection-body.ts";

export const createConnectionOfAccount = defineEndpoint({
  method: "POST",
  path: "/v1/connections",
  operationId: "createConnection",
  tag: "Connections",
  summary: "Create a connection to a store: S3, Google Cloud Storage, Azure, SFTP or WebDAV.",
  description:
    "Its secrets are encrypted and never returned. Files in it are inputs as `conn_…:folder/file.mp4`, and `output: {connection, path}` sends outputs to it. Test it with `POST /v1/connections/{id}/test`.",
  access: "apiKey",
  scope: "jobs:write",
  body: {
    kind: "json",
    schema: newConnection,
    example: {
      type: "s3",
      name: "Videos",
      bucket: "videos",
      region: "eu-central-1",
      access_key_id: "AKIAIOSFODNN7EXAMPLE",
      secret_access_key: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    },
  },
  responses: { 201: { description: "The connection.", body: connectionSchema } },
  errors: ["invalid_parameter", "conflict"],
  async handler({ account, body }) {
    const { settings, fields } = splitBody(body);
    return serializeConnection(await createConnection(account, { ...settings, fields }));
  },
});
