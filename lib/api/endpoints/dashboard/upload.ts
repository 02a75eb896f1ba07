import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { startUpload, uploadBody, uploadResponses } from "../uploads/start-upload.ts";

export const createUploadInDashboard = defineEndpoint({
  method: "POST",
  path: "/dashboard/api/uploads",
  operationId: "createUploadInDashboard",
  tag: "Jobs",
  summary: "Create an upload for a file of the playground that is too large for a form.",
  internal: true,
  access: "session",
  body: uploadBody,
  responses: uploadResponses,
  errors: ["usage_limit_reached"],
  handler: startUpload,
});
