import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { startUpload, uploadBody, uploadResponses } from "./start-upload.ts";

export const createUpload = defineEndpoint({
  method: "POST",
  path: "/v1/uploads",
  operationId: "createUpload",
  tag: "Jobs",
  summary: "Create an upload: a URL to which you send a file.",
  description:
    "For files that are larger than your host's own limit on request bodies: `uploads.form_bytes` of `GET /v1/account`.",
  access: "apiKey",
  scope: "jobs:write",
  forTokens: true,
  body: uploadBody,
  responses: uploadResponses,
  errors: ["usage_limit_reached"],
  handler: startUpload,
});
