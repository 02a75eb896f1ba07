import { z } from "zod";
import { type RequestErrorCode, requestErrorStatus } from "#lib/errors.ts";
import { crossOriginHeaderNames, type ResponseHeaderName } from "./response-headers.ts";

/** What each error code means, for the guide and the OpenAPI document. */
export const requestErrorDescriptions: Readonly<Record<RequestErrorCode, string>> = {
  invalid_request: "The request is malformed: invalid JSON, an invalid form or an invalid header.",
  invalid_parameter: "A parameter is unknown, has the wrong type or is out of bounds.",
  invalid_input: "The input is missing, given twice, empty or of a type that is not accepted.",
  unauthorized: "The API key is missing or not valid.",
  forbidden:
    "The signed URL was changed or has expired, the account is suspended, or the API key lacks the scope.",
  not_found: "The operation, job or output does not exist, or belongs to another account.",
  method_not_allowed: "The path exists, but not with this method. `Allow` lists the methods.",
  request_timeout: "The headers or the body of the request took too long to arrive.",
  conflict: "The job is in the wrong state, or a request with the same Idempotency-Key is running.",
  gone: "The file or upload is past its retention time or was deleted.",
  precondition_failed:
    "`Tus-Resumable` is missing or names another version of tus than 1.0.0, or a file has none of the ETags in `If-Match`.",
  too_large: "The file is larger than the plan allows, or the JSON body is larger than 1 MiB.",
  unsupported_media_type: "The Content-Type of the body is not supported.",
  idempotency_conflict: "The Idempotency-Key was used with another request.",
  locked: "Another request writes to the same upload.",
  usage_limit_reached: "The plan's monthly bytes are used up.",
  rate_limited:
    "Too many requests: the plan's job-creating requests of this minute are used up, or another limit is reached.",
  checksum_mismatch: "The bytes that arrived do not have the checksum of `Upload-Checksum`.",
  internal: "The service failed.",
  unavailable: "Something that the request needs is unavailable.",
};

/** Errors of HTTP itself. They come before any endpoint is known, with the code `invalid_request`. */
const transportErrors = {
  421: "The `Host` header names a host that this service does not respond under.",
  431: "The headers of the request are larger than 16 KiB.",
} as const;

/** Statuses that every request may get. */
const commonStatuses = [400, 408, 421, 431, 500] as const;

// Object.entries types keys as text.
const codes = Object.entries(requestErrorStatus) as [RequestErrorCode, number][];

/** Codes of the error responses with `status`. */
export function codesOfStatus(status: number): RequestErrorCode[] {
  const found = codes.filter(([, one]) => one === status).map(([code]) => code);
  return found.length > 0 ? found : ["invalid_request"];
}

/** Headers of error responses, in addition to those of every response. */
const errorHeaders: Readonly<Record<number, readonly ResponseHeaderName[]>> = {
  401: ["WWW-Authenticate"],
  403: crossOriginHeaderNames,
  409: ["Retry-After"],
  423: ["Retry-After"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

interface ErrorStatus {
  readonly status: number;
  readonly description: string;
  readonly headers: readonly ResponseHeaderName[];
}

/** Every status of an error response that an endpoint may document. 405 is the path's. */
export const errorStatuses: readonly ErrorStatus[] = [
  ...new Set([...codes.map(([, status]) => status), ...Object.keys(transportErrors).map(Number)]),
]
  .filter((status) => status !== requestErrorStatus.method_not_allowed)
  .sort((one, other) => one - other)
  .map((status) => ({
    status,
    description: describeStatus(status),
    headers: errorHeaders[status] ?? [],
  }));

function describeStatus(status: number): string {
  const transport = Object.entries(transportErrors).find(([one]) => Number(one) === status)?.[1];
  if (transport) return transport;
  return codesOfStatus(status)
    .map((code) => requestErrorDescriptions[code])
    .join(" ");
}

/** The statuses of error responses with these codes, and of those that every request may get. */
export function statusesOfCodes(given: readonly RequestErrorCode[]): number[] {
  const statuses = given.map((code) => requestErrorStatus[code]);
  return [...new Set([...statuses, ...commonStatuses])].sort((one, other) => one - other);
}

/** The body of every error response. */
export const errorSchema = z
  .strictObject({ error: z.string().describe("What is wrong and what is allowed, for people.") })
  .meta({ id: "Error", description: "The body of every error response." });
