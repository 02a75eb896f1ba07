/** The headers of responses, each defined once. Endpoints refer to them by name. */

const text = { type: "string" };
const count = { type: "integer", minimum: 0 };

export const responseHeaders = {
  "X-Request-Id": {
    description: "Identifies this request; the service's logs contain it too.",
    required: true,
    schema: { type: "string", pattern: "^req_[0-9A-Za-z]{24}$" },
  },
  "X-Content-Type-Options": {
    description: "Prevents browsers from guessing another media type.",
    required: true,
    schema: { const: "nosniff" },
  },
  "Cache-Control": { description: "How long the response may be cached.", schema: text },
  "RateLimit-Limit": {
    description: "Job-creating requests allowed per minute; absent on an unlimited plan.",
    schema: count,
  },
  "RateLimit-Remaining": {
    description: "Job-creating requests left in this minute.",
    schema: count,
  },
  "RateLimit-Reset": { description: "Seconds until the minute ends.", schema: count },
  "Retry-After": {
    description: "Seconds to wait before the next attempt.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
  "WWW-Authenticate": {
    description: "How to send the API key.",
    required: true,
    schema: { const: "Bearer" },
  },
  Location: {
    description: "Path of the job, the store's signed URL of the file, or the upload's signed URL.",
    required: true,
    schema: text,
  },
  "Idempotency-Replayed": {
    description: "Present if this is the first response to the same Idempotency-Key again.",
    schema: { const: "true" },
  },
  "Preference-Applied": {
    description: "Present if the service waited for the end of the job.",
    schema: { const: "wait" },
  },
  "X-Total-Count": {
    description: "Number of matching jobs on all pages: exact up to 10,000, then `10000+`.",
    required: true,
    schema: { type: "string", pattern: "^(?:[0-9]{1,4}|10000\\+?)$" },
  },
  Link: { description: "Paths of the pages `next` and `prev` (RFC 8288).", schema: text },
  ETag: {
    description:
      "For `If-None-Match`. Strong for files, because that of one output is never changed, and weak for JSON.",
    required: true,
    schema: { type: "string", pattern: '^(?:W/)?"[0-9a-f]{32}"$' },
  },
  "Accept-Ranges": {
    description: "Byte ranges are supported.",
    required: true,
    schema: { const: "bytes" },
  },
  "Content-Disposition": {
    description: "The file name, and whether a browser may show the file inline.",
    required: true,
    schema: text,
  },
  "Content-Length": { description: "Bytes of the body.", schema: count },
  "Content-Range": {
    description: "Which bytes the body has, or how many bytes the file has.",
    required: true,
    schema: { type: "string", pattern: "^bytes (?:[0-9]+-[0-9]+|\\*)/[0-9]+$" },
  },
  "Content-Security-Policy": {
    description: "Prevents browsers from running anything in the file.",
    required: true,
    schema: text,
  },
  "Tus-Resumable": {
    description: "The version of tus; present in its responses.",
    schema: { const: "1.0.0" },
  },
  "Tus-Version": {
    description: "The versions of tus that the service speaks; present if a request has another.",
    schema: { const: "1.0.0" },
  },
  "Upload-Offset": {
    description: "How many bytes of the file have arrived.",
    required: true,
    schema: count,
  },
  "Upload-Length": { description: "The file's size in bytes.", required: true, schema: count },
  "Upload-Expires": {
    description: "Until when the file can be sent, as an HTTP date.",
    required: true,
    schema: text,
  },
  "Access-Control-Allow-Origin": {
    description: "Pages of any origin may read the response.",
    schema: { const: "*" },
  },
  "Access-Control-Expose-Headers": {
    description: "Headers that pages of other origins may read.",
    schema: text,
  },
  "Cross-Origin-Resource-Policy": {
    description: "Pages of any origin may embed the file.",
    schema: { const: "cross-origin" },
  },
} as const;

export type ResponseHeaderName = keyof typeof responseHeaders;

/** Headers of every response. */
export const commonHeaderNames = [
  "X-Request-Id",
  "X-Content-Type-Options",
  "Cache-Control",
] as const satisfies ResponseHeaderName[];

/** Headers of responses to a valid API key of a plan with a request limit. */
export const rateHeaderNames = [
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
] as const satisfies ResponseHeaderName[];

/** Headers of responses that pages of any origin may read. */
export const crossOriginHeaderNames = [
  "Access-Control-Allow-Origin",
  "Access-Control-Expose-Headers",
  "Cross-Origin-Resource-Policy",
] as const satisfies ResponseHeaderName[];

/** Headers of errors that the URLs of uploads and the endpoints of tus add. */
export const uploadErrorHeaderNames = [
  ...crossOriginHeaderNames,
  "Tus-Resumable",
  "Tus-Version",
] as const satisfies ResponseHeaderName[];
