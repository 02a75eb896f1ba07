import { type RequestErrorCode, requestErrorStatus } from "#lib/errors.ts";

/** The headers that answers carry, each once; answers refer to them. */

const string = { type: "string" };
const seconds = { type: "integer", minimum: 0 };

export const headers = {
  "X-Request-Id": {
    description: "Names this request; our logs carry it too.",
    required: true,
    schema: { type: "string", pattern: "^req_[0-9A-Za-z]{24}$" },
  },
  "X-Content-Type-Options": {
    description: "Keeps browsers from guessing another type.",
    required: true,
    schema: { const: "nosniff" },
  },
  "Cache-Control": { description: "How long the answer may be kept.", schema: string },
  "RateLimit-Limit": {
    description: "Requests a minute that may create work; absent on an unlimited plan.",
    schema: seconds,
  },
  "RateLimit-Remaining": { description: "How many of them are left.", schema: seconds },
  "RateLimit-Reset": { description: "Seconds until the minute ends.", schema: seconds },
  "Retry-After": {
    description: "Seconds after which it is worth trying again.",
    required: true,
    schema: { type: "integer", minimum: 1 },
  },
  "WWW-Authenticate": {
    description: "How a key may be sent.",
    required: true,
    schema: { const: "Bearer" },
  },
  Location: { description: "Path of the job.", required: true, schema: string },
  "Idempotency-Replayed": {
    description: "There where the answer is the first one to this Idempotency-Key again.",
    schema: { const: "true" },
  },
  "Preference-Applied": {
    description: "There where the answer waited for the job's end.",
    schema: { const: "wait" },
  },
  "X-Total-Count": {
    description: "Jobs that match, on all pages.",
    required: true,
    schema: { type: "integer", minimum: 0 },
  },
  Link: { description: "Paths of the pages `next` and `prev` (RFC 8288).", schema: string },
  ETag: {
    description: "Strong validator: the file's SHA-256.",
    required: true,
    schema: { type: "string", pattern: '^"[0-9a-f]{64}"$' },
  },
  "Accept-Ranges": {
    description: "Byte ranges are served.",
    required: true,
    schema: { const: "bytes" },
  },
  "Content-Disposition": {
    description: "The file's name, and whether a browser may show it in place.",
    required: true,
    schema: string,
  },
  "Content-Length": { description: "Bytes of the body.", schema: seconds },
  "Content-Range": {
    description: "Which bytes these are, or how many there are.",
    required: true,
    schema: { type: "string", pattern: "^bytes (?:[0-9]+-[0-9]+|\\*)/[0-9]+$" },
  },
  "Content-Security-Policy": {
    description: "Nothing in the file runs in a browser.",
    required: true,
    schema: string,
  },
  "Access-Control-Allow-Origin": {
    description: "Pages of any origin may read it.",
    schema: { const: "*" },
  },
  "Access-Control-Expose-Headers": { description: "Headers such pages may read.", schema: string },
  "Cross-Origin-Resource-Policy": {
    description: "Pages of any origin may show it.",
    schema: { const: "cross-origin" },
  },
} as const;

export type HeaderName = keyof typeof headers;

/** References to the named headers, and to those that every answer has. */
export function withHeaders(...names: HeaderName[]): Record<string, object> {
  const always: HeaderName[] = ["X-Request-Id", "X-Content-Type-Options", "Cache-Control"];
  return Object.fromEntries(
    [...always, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** What answers to a valid key carry where the plan is limited. */
export const rateHeaderNames = [
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
] as const satisfies HeaderName[];

/** What answers carry that pages of any origin may read. */
export const openHeaderNames = [
  "Access-Control-Allow-Origin",
  "Access-Control-Expose-Headers",
  "Cross-Origin-Resource-Policy",
] as const satisfies HeaderName[];

/** `X-Error-Code`, with the codes that answer with `status`. */
export function errorCodeHeader(status: number): object {
  const codes: string[] = Object.entries(requestErrorStatus)
    .filter(([, one]) => one === status)
    .map(([code]) => code);
  const fallback: RequestErrorCode = "invalid_request";
  return {
    description: "The error for programs.",
    required: true,
    schema: { enum: codes.length > 0 ? codes : [fallback] },
  };
}
