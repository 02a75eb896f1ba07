import { RequestError } from "#lib/errors.ts";
import {
  appendToUpload,
  type Checksum,
  checksumAlgorithms,
} from "#lib/jobs/uploads/append-upload.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { crossOriginHeaderNames } from "../../definition/response-headers.ts";
import { bodyStream } from "../../http/body.ts";
import { receiveUpload } from "../../http/slots/upload-slots.ts";
import { uploadParams } from "../uploads/upload-params.ts";
import { expiryHeader, respondToTus, tusLink } from "./tus.ts";

/** The media type that tus requires. */
const bodyType = "application/offset+octet-stream";

export const appendUpload = defineEndpoint({
  method: "PATCH",
  path: "/uploads/{id}",
  operationId: "appendUpload",
  tag: "Jobs",
  summary: "Send bytes of an upload from its offset (tus 1.0).",
  description:
    "What has arrived when a connection breaks is kept. With `Upload-Checksum`, a body is kept as a whole or not at all.",
  ...tusLink,
  params: uploadParams,
  headers: ["TusResumable", "UploadOffset", "UploadChecksum"],
  body: {
    kind: "stream",
    description: "The next bytes of the file, as many as you like.",
    content: { [bodyType]: { schema: { type: "string", contentMediaType: bodyType } } },
  },
  responses: {
    204: {
      description: "The bytes are stored. The upload is complete if the offset is its size.",
      headers: ["Tus-Resumable", "Upload-Offset", "Upload-Expires", ...crossOriginHeaderNames],
    },
  },
  errors: [
    "not_found",
    "conflict",
    "gone",
    "precondition_failed",
    "too_large",
    "unsupported_media_type",
    "locked",
    "rate_limited",
    "checksum_mismatch",
  ],
  handler: ({ params: { id }, ...context }) =>
    respondToTus(context, id, async (upload) => {
      const { request } = context;
      requireBodyType(request);
      const bytes = {
        offset: readCount(request, "Upload-Offset"),
        length: request.headers.has("content-length")
          ? readCount(request, "Content-Length")
          : undefined,
        checksum: readChecksum(request),
        body: bodyStream(request),
      };
      const offset = await receiveUpload(upload.accountId, () => appendToUpload(id, bytes));
      const headers = { "Upload-Offset": String(offset), ...expiryHeader(upload) };
      return new Response(null, { status: 204, headers });
    }),
});

function requireBodyType({ headers }: Request): void {
  if (headers.get("content-type")?.trim().toLowerCase() === bodyType) return;
  throw new RequestError("unsupported_media_type", `\`Content-Type\` must be ${bodyType}.`);
}

function readCount({ headers }: Request, name: string): number {
  const text = headers.get(name) ?? "";
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new RequestError("invalid_request", `\`${name}\` must be a number of bytes, from 0.`);
}

/** The header `Upload-Checksum`, such as `sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=`. */
function readChecksum({ headers }: Request): Checksum | undefined {
  const text = headers.get("upload-checksum");
  if (text === null) return undefined;
  const [, name, digest] = /^(\w+) ([A-Za-z0-9+/]+={0,2})$/.exec(text.trim()) ?? [];
  const algorithm = checksumAlgorithms.find((one) => one === name);
  if (algorithm && digest) return { algorithm, digest };
  const message = `\`Upload-Checksum\` must be one of ${checksumAlgorithms.join(", ")}, a space and the checksum in base64.`;
  throw new RequestError("invalid_request", message);
}
