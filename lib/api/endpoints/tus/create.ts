import { RequestError } from "#lib/errors.ts";
import { signUpload } from "#lib/jobs/view/links.ts";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { crossOriginHeaderNames } from "../../definition/response-headers.ts";
import { respondToAnyOrigin } from "../uploads/cross-origin-uploads.ts";
import { createUploadOf, uploadFileSchema } from "../uploads/start-upload.ts";
import { expiryHeader, requireVersion, tusVersion } from "./tus.ts";

/** How tus clients create an upload by themselves. `POST /v1/uploads` is the same for everyone else. */
export const createTusUpload = defineEndpoint({
  method: "POST",
  path: "/v1/uploads/tus",
  operationId: "createTusUpload",
  tag: "Jobs",
  summary: "Create an upload as a client of tus 1.0 does.",
  description:
    "The endpoint for tus clients such as Uppy. `Location` is the upload's signed URL; the id in it is the input of jobs.",
  access: "apiKey",
  scope: "jobs:write",
  forTokens: true,
  anyOrigin: true,
  headers: ["TusResumable", "UploadLength", "UploadMetadata"],
  responses: {
    201: {
      description: "The upload is created.",
      headers: ["Location", "Tus-Resumable", "Upload-Expires", ...crossOriginHeaderNames],
    },
  },
  errors: ["precondition_failed", "too_large", "usage_limit_reached"],
  handler: (context) => {
    const { request } = context;
    const create = async () => {
      requireVersion(request);
      const file = { filename: readFilename(request), bytes: readLength(request) };
      const upload = await createUploadOf(context, { ...file, method: "tus" });
      const headers = {
        Location: signUpload(upload.id, upload.expiresAt),
        ...expiryHeader(upload),
      };
      return new Response(null, { status: 201, headers });
    };
    return respondToAnyOrigin(context, create, { "Tus-Resumable": tusVersion });
  },
});

function readLength({ headers }: Request): number {
  const text = headers.get("upload-length") ?? "";
  const length = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (uploadFileSchema.shape.bytes.safeParse(length).success) return length;
  throw new RequestError("invalid_request", "`Upload-Length` must be the file's size in bytes.");
}

/** The file's name in `Upload-Metadata`, whose values are in base64: `filename` of tus-js-client, `name` of Uppy. */
function readFilename({ headers }: Request): string {
  const pairs = (headers.get("upload-metadata") ?? "")
    .split(",")
    .map((pair) => pair.trim().split(" "))
    .map(([key = "", value = ""]) => [key, Buffer.from(value, "base64").toString()] as const);
  const metadata = new Map(pairs);
  return (metadata.get("filename") || metadata.get("name") || "file").slice(0, 255);
}
