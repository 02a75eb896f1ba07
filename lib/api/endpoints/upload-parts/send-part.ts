import { z } from "zod";
import { RequestError } from "#lib/errors.ts";
import {
  alreadyComplete,
  listParts,
  storePart,
  wrongPartSize,
} from "#lib/jobs/uploads/upload-parts.ts";
import { verifyUploadPartLink } from "#lib/jobs/view/links.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { crossOriginHeaderNames } from "../../definition/response-headers.ts";
import { bodyStream } from "../../http/body.ts";
import { receiveUpload } from "../../http/slots/upload-slots.ts";
import { respondToAnyOrigin } from "../uploads/cross-origin-uploads.ts";
import { uploadParams } from "../uploads/upload-params.ts";
import { requireMultipart, uploadLinkError } from "./upload-link.ts";

export const sendUploadPart = defineEndpoint({
  method: "PUT",
  path: "/uploads/{id}/parts/{number}",
  operationId: "sendUploadPart",
  tag: "Jobs",
  summary: "Send a part of an upload to its signed URL.",
  description: "Parts may be sent in any order, several at a time, and again after a failure.",
  access: "signedLink",
  anyOrigin: true,
  verifyLink: ({ id = "", number = "" }, signature) => verifyUploadPartLink(id, number, signature),
  linkError: uploadLinkError,
  params: uploadParams.extend({
    number: z
      .string()
      .regex(/^[1-9]\d{0,4}$/, "There is no such part.")
      .describe("From 1."),
  }),
  body: {
    kind: "stream",
    description: "The bytes of the part: `part_bytes`, or what is left for the last part.",
    content: {
      "*/*": { schema: { type: "string", contentMediaType: "application/octet-stream" } },
    },
  },
  responses: { 204: { description: "The part is stored.", headers: crossOriginHeaderNames } },
  errors: ["conflict", "gone", "locked", "rate_limited", "invalid_input"],
  handler: ({ params: { id, number }, ...context }) =>
    respondToAnyOrigin(context, async () => {
      const upload = await requireMultipart(id);
      const part = listParts(upload)[Number(number) - 1];
      if (!part) throw new RequestError("not_found", "There is no such part.");
      if (upload.receivedAt) throw alreadyComplete();
      const declared = context.request.headers.get("content-length");
      if (declared !== null && Number(declared) !== part.bytes) throw wrongPartSize(part.bytes);
      const body = bodyStream(context.request);
      const store = () => storePart(upload, part, body);
      await receiveUpload(upload.accountId, store).catch((error: unknown) => {
        const isTooLarge = error instanceof RequestError && error.code === "too_large";
        throw isTooLarge ? wrongPartSize(part.bytes) : error;
      });
      return new Response(null, { status: 204 });
    }),
});
