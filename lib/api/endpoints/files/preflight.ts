import { z } from "zod";
import { defineEndpoint } from "../../definition/define-endpoint.ts";

/** Headers that pages of other origins may send: those of conditional and range requests. */
const requestHeaders = ["If-Match", "If-None-Match", "If-Range", "Range"];

/** A day in seconds. Most browsers cache a preflight response for less. */
const maxAgeSeconds = 86_400;

/** The CORS preflight (Fetch standard) of a signed URL, whether the file exists or not. */
export const preflight = defineEndpoint({
  method: "OPTIONS",
  path: "/files/{job}/{index}/{name}",
  operationId: "preflightSignedOutput",
  tag: "Jobs",
  summary: "Allow pages of any origin to read an output by its signed URL.",
  internal: true,
  access: "public",
  params: z.strictObject({ job: z.string(), index: z.string(), name: z.string() }),
  responses: { 204: { description: "The allowed methods and headers." } },
  handler: async () =>
    new Response(null, {
      status: 204,
      headers: {
        Allow: "GET, HEAD, OPTIONS",
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Methods": "GET, HEAD",
        "Access-Control-Allow-Headers": requestHeaders.join(", "),
        "Access-Control-Max-Age": String(maxAgeSeconds),
      },
    }),
});
