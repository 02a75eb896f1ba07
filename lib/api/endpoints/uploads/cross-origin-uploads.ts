import type { RequestContext } from "../../definition/endpoint.ts";
import { errorResponse } from "../../http/error-response.ts";

/** Headers of responses about uploads that pages of any origin may read: the signature in the URL is the permission. */
export const uploadHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "ETag, Location, Retry-After, Tus-Resumable, Upload-Expires, Upload-Length, Upload-Offset, X-Error-Code, X-Request-Id",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** Responds to a request with `respond`. Its errors, too, can be read by pages of any origin. */
export async function respondToAnyOrigin(
  context: RequestContext,
  respond: () => Promise<Response>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const response = await respond().catch((error: unknown) => errorResponse(error, context));
  for (const [name, value] of Object.entries({ ...uploadHeaders, ...headers })) {
    response.headers.set(name, value);
  }
  return response;
}
