import { abortUpload } from "#lib/jobs/uploads/upload-parts.ts";
import { type SignedQuery, verifyUploadEndLink } from "#lib/jobs/view/links.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import type { RequestContext } from "../../definition/endpoint.ts";
import { crossOriginHeaderNames } from "../../definition/response-headers.ts";
import { respondToAnyOrigin } from "../uploads/cross-origin-uploads.ts";
import { uploadParams } from "../uploads/upload-params.ts";
import { requireMultipart, uploadLinkError } from "./upload-link.ts";

type AbortContext = RequestContext & { readonly params: { readonly id: string } };

const shared = {
  path: "/uploads/{id}/abort",
  tag: "Jobs",
  summary: "Delete an upload and the parts that have arrived.",
  description: "Jobs that have taken it as their input keep their copy.",
  access: "signedLink",
  anyOrigin: true,
  verifyLink: ({ id = "" }: Readonly<Record<string, string>>, signature: SignedQuery) =>
    verifyUploadEndLink(id, "abort", signature),
  linkError: uploadLinkError,
  params: uploadParams,
  responses: {
    204: { description: "The upload is deleted.", headers: crossOriginHeaderNames },
  },
  handler: ({ params: { id }, ...context }: AbortContext) =>
    respondToAnyOrigin(context, async () => {
      await abortUpload(await requireMultipart(id));
      return new Response(null, { status: 204 });
    }),
} as const;

export const abortUploadParts = defineEndpoint({
  ...shared,
  method: "DELETE",
  operationId: "abortUpload",
  errors: ["gone", "locked"],
});

/** For pages that close: they can send a POST that outlives them, and no DELETE. */
export const abortUploadPartsByPost = defineEndpoint({
  ...shared,
  method: "POST",
  operationId: "abortUploadByPost",
  errors: ["gone", "locked"],
});
