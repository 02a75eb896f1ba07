import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { startUpload, uploadBody, uploadResponses } from "../uploads/start-upload.ts";

/**
 * Counts for the network address like a run, so that no one stores more by uploads than by runs. Upload and
 * run together have the limits of the plan: 10 MB a file, and files are deleted after an hour.
 */
export const createUploadAsVisitor = defineEndpoint({
  method: "POST",
  path: "/try/uploads",
  operationId: "createUploadAsVisitor",
  tag: "Jobs",
  summary: "Create an upload for a file of the home page that is too large for a form.",
  internal: true,
  access: "visitor",
  body: uploadBody,
  responses: uploadResponses,
  errors: ["usage_limit_reached"],
  handler: startUpload,
});
