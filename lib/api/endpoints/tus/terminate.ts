import { abortUpload } from "#lib/jobs/uploads/upload-parts.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { crossOriginHeaderNames } from "../../definition/response-headers.ts";
import { uploadParams } from "../uploads/upload-params.ts";
import { respondToTus, tusLink } from "./tus.ts";

export const terminateUpload = defineEndpoint({
  method: "DELETE",
  path: "/uploads/{id}",
  operationId: "terminateUpload",
  tag: "Jobs",
  summary: "Delete an upload and what has arrived of it (tus 1.0).",
  description: "Jobs that have taken it as their input keep their copy.",
  ...tusLink,
  params: uploadParams,
  headers: ["TusResumable"],
  responses: {
    204: {
      description: "The upload is deleted.",
      headers: ["Tus-Resumable", ...crossOriginHeaderNames],
    },
  },
  errors: ["not_found", "gone", "precondition_failed", "locked"],
  handler: ({ params: { id }, ...context }) =>
    respondToTus(context, id, async (upload) => {
      await abortUpload(upload);
      return new Response(null, { status: 204 });
    }),
});
