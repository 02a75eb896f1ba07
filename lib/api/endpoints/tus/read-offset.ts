import { readOffset } from "#lib/jobs/uploads/append-upload.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { crossOriginHeaderNames } from "../../definition/response-headers.ts";
import { uploadParams } from "../uploads/upload-params.ts";
import { expiryHeader, respondToTus, tusLink } from "./tus.ts";

export const readUploadOffset = defineEndpoint({
  method: "HEAD",
  path: "/uploads/{id}",
  operationId: "readUploadOffset",
  tag: "Jobs",
  summary: "Read how much of an upload has arrived (tus 1.0).",
  description: "Ends the request that sends bytes at present: its connection may be dead.",
  ...tusLink,
  params: uploadParams,
  headers: ["TusResumable"],
  responses: {
    200: {
      description: "The offset from which to go on.",
      headers: [
        "Tus-Resumable",
        "Upload-Offset",
        "Upload-Length",
        "Upload-Expires",
        ...crossOriginHeaderNames,
      ],
    },
  },
  errors: ["not_found", "gone", "precondition_failed", "locked"],
  handler: ({ params: { id }, ...context }) =>
    respondToTus(context, id, async (found) => {
      const upload = await readOffset(found);
      return new Response(null, {
        status: 200,
        headers: {
          "Upload-Offset": String(upload.receivedBytes),
          "Upload-Length": String(upload.bytes),
          ...expiryHeader(upload),
        },
      });
    }),
});
