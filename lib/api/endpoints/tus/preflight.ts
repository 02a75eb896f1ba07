import { z } from "zod";
import { defineEndpoint } from "../../definition/define-endpoint.ts";
import { methodOverrideHeader } from "../../definition/request-headers.ts";
import { uploadHeaders } from "../uploads/cross-origin-uploads.ts";
import { tusCapabilities } from "./tus.ts";

/** Headers that pages of other origins may send: those of tus, and of what creates an upload. */
const requestHeaders = [
  "Authorization",
  "Content-Type",
  "Tus-Resumable",
  "Upload-Checksum",
  "Upload-Length",
  "Upload-Metadata",
  "Upload-Offset",
  methodOverrideHeader,
  "X-API-Key",
  "X-Request-Id",
  "X-Requested-With",
];

/** A day in seconds. Most browsers cache a preflight response for less. */
const maxAgeSeconds = 86_400;

/** What tus clients ask for, and the CORS preflight (Fetch standard) of the URLs of uploads. */
function announce(allowed: string) {
  return async () =>
    new Response(null, {
      status: 204,
      headers: {
        Allow: allowed,
        ...tusCapabilities,
        ...uploadHeaders,
        "Access-Control-Allow-Methods": allowed,
        "Access-Control-Allow-Headers": requestHeaders.join(", "),
        "Access-Control-Max-Age": String(maxAgeSeconds),
      },
    });
}

const shared = {
  method: "OPTIONS",
  tag: "Jobs",
  summary: "Read which features of tus 1.0 the service has.",
  internal: true,
  access: "public",
  responses: { 204: { description: "The features, and what pages of other origins may send." } },
} as const;

export const preflightUpload = defineEndpoint({
  ...shared,
  path: "/uploads/{id}",
  operationId: "preflightUpload",
  params: z.strictObject({ id: z.string() }),
  handler: announce("PUT, PATCH, HEAD, DELETE, OPTIONS"),
});

export const preflightTusUploads = defineEndpoint({
  ...shared,
  path: "/v1/uploads/tus",
  operationId: "preflightTusUploads",
  handler: announce("POST, OPTIONS"),
});

export const preflightUploadPart = defineEndpoint({
  ...shared,
  path: "/uploads/{id}/parts/{number}",
  operationId: "preflightUploadPart",
  params: z.strictObject({ id: z.string(), number: z.string() }),
  handler: announce("PUT, OPTIONS"),
});

export const preflightCompleteUpload = defineEndpoint({
  ...shared,
  path: "/uploads/{id}/complete",
  operationId: "preflightCompleteUpload",
  params: z.strictObject({ id: z.string() }),
  handler: announce("POST, OPTIONS"),
});

export const preflightAbortUpload = defineEndpoint({
  ...shared,
  path: "/uploads/{id}/abort",
  operationId: "preflightAbortUpload",
  params: z.strictObject({ id: z.string() }),
  handler: announce("DELETE, POST, OPTIONS"),
});
