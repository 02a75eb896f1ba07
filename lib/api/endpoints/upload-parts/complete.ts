import { completeParts } from "#lib/jobs/uploads/upload-parts.ts";
import { verifyUploadEndLink } from "#lib/jobs/view/links.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { crossOriginHeaderNames } from "../../definition/response-headers.ts";
import { respondToAnyOrigin } from "../uploads/cross-origin-uploads.ts";
import { uploadParams } from "../uploads/upload-params.ts";
import { toUploadState, uploadStateSchema } from "../uploads/upload-state.ts";
import { requireMultipart, uploadLinkError } from "./upload-link.ts";

export const completeUpload = defineEndpoint({
  method: "POST",
  path: "/uploads/{id}/complete",
  operationId: "completeUpload",
  tag: "Jobs",
  summary: "Make the parts of an upload its file.",
  description: "The body is ignored: the service knows the parts that have arrived.",
  access: "signedLink",
  anyOrigin: true,
  verifyLink: ({ id = "" }, signature) => verifyUploadEndLink(id, "complete", signature),
  linkError: uploadLinkError,
  params: uploadParams,
  responses: {
    200: {
      description: "The upload can be the input of jobs.",
      body: uploadStateSchema,
      headers: crossOriginHeaderNames,
    },
  },
  errors: ["conflict", "gone", "locked"],
  handler: ({ params: { id }, ...context }) =>
    respondToAnyOrigin(context, async () => {
      await requireMultipart(id);
      return Response.json(await toUploadState(await completeParts(id)));
    }),
});
