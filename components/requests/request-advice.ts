import { type RequestErrorCode, requestErrorStatus } from "#lib/errors.ts";

/** What the sender of a rejected request can do, by error code. */
const advice: Readonly<Record<RequestErrorCode, string>> = {
  invalid_request: "The request cannot be read. Compare its body and headers with the reference.",
  invalid_parameter: "Correct this parameter and send the request again.",
  invalid_input: "Send another file, or correct its URL. The type is detected from the content.",
  unauthorized: "Send a valid key as X-API-Key or as Authorization: Bearer.",
  forbidden: "This key may not do this. Use a key with the right.",
  not_found: "Check the path and the ID. What belongs to another account is not found either.",
  method_not_allowed: "The path exists, but not with this method. The reference lists the methods.",
  request_timeout: "The body arrived too slowly. Send it again over a faster connection.",
  conflict: "The job or the request is in another state. Read the job, then decide.",
  gone: "The files are past their retention or were deleted. Run the job again with the file.",
  precondition_failed: "Use a client of tus 1.0, which sends Tus-Resumable: 1.0.0.",
  locked: "Another request writes to the same upload. Read its offset and go on from there.",
  checksum_mismatch: "The bytes were changed on their way. Send them again.",
  too_large: "Send a smaller file, or change to a plan with a higher limit.",
  unsupported_media_type: "Send JSON or multipart/form-data, uncompressed, with this Content-Type.",
  idempotency_conflict: "Use a new Idempotency-Key for each different request.",
  usage_limit_reached:
    "The plan’s monthly data is used up. Wait until the 1st, or change the plan.",
  rate_limited: "Wait for the seconds in Retry-After. The SDKs and the CLI do it for you.",
  internal: "The service failed, not your request. Send it again with the same Idempotency-Key.",
  unavailable: "Wait for the seconds in Retry-After, then send the request again.",
};

/** What to do about an error; undefined for a code that no request has. */
export function adviceFor(code: string): string | undefined {
  // Object.hasOwn does not narrow the type of the key.
  return Object.hasOwn(requestErrorStatus, code) ? advice[code as RequestErrorCode] : undefined;
}
