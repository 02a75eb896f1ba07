import {
  type JobErrorCode,
  jobErrorFault,
  type RequestErrorCode,
  requestErrorStatus,
} from "#lib/errors.ts";
import { TermList } from "./term-list.tsx";

const requestErrors: Readonly<Record<RequestErrorCode, string>> = {
  invalid_request: "The request itself is not valid: broken JSON, a bad header, a bad id.",
  invalid_parameter: "A parameter is unknown, of the wrong type or out of bounds.",
  invalid_input: "There is no input, two of them, an empty one, or one of the wrong type.",
  unauthorized: "There is no valid key.",
  forbidden: "A signed address was altered or has expired.",
  not_found: "There is no such operation, job or output, or it is another account's.",
  method_not_allowed: "The path is known, the method is not; Allow names those that are.",
  conflict: "The job is in the wrong state, or the same Idempotency-Key is still being answered.",
  gone: "The file is past its retention, or deleted.",
  too_large: "The file is larger than the plan's maximum.",
  unsupported_media_type: "The body is neither JSON nor multipart/form-data.",
  idempotency_conflict: "An Idempotency-Key was used again with another body.",
  usage_limit_reached: "The plan's bytes of the month are used up.",
  rate_limited: "Too many requests in this minute.",
  internal: "The fault is ours.",
  unavailable: "Something that the request needs is away for now.",
};

/** Codes of refused requests. */
export function RequestErrorsTable() {
  const terms = Object.entries(requestErrors).map(([name, text]) => ({
    name,
    // The keys of this very table.
    aside: requestErrorStatus[name as RequestErrorCode],
    text,
  }));
  return <TermList label="Codes of refused requests" terms={terms} />;
}

const jobErrors: Readonly<Record<JobErrorCode, readonly [meaning: string, advice: string]>> = {
  address_refused: ["The address may not be fetched.", "Use a public http or https address."],
  fetch_failed: ["The server did not give the file.", "Check the address; retry if it is back."],
  fetch_timeout: ["The server was too slow.", "Retry, or upload the file."],
  too_large: [
    "The file is larger than the plan allows.",
    "Send a smaller one, or change the plan.",
  ],
  empty: ["The file has no bytes.", "Check where it comes from."],
  unsupported_type: ["The operation does not take this type.", "See the types on its page."],
  corrupt: ["The file is damaged.", "Open and save it again, then send it."],
  encrypted: ["The file needs a password.", "Remove the password first."],
  too_complex: [
    "The file is beyond a limit.",
    "The sentence names the limit; see plans and limits.",
  ],
  usage_limit_reached: [
    "The file would pass the plan's bytes.",
    "Wait for the next month, or change the plan.",
  ],
  timed_out: ["The work took too long.", "Retry, or send a shorter file."],
  engine_crashed: [
    "An engine crashed on the file, twice.",
    "Open and save it again, then send it.",
  ],
  out_of_memory: ["The file needed more memory than a job may have.", "Send a smaller one."],
  set_aside: ["The file ended its runner again and again.", "Tell the operator the job's id."],
  internal: ["The fault is ours, three times.", "Retry; tell the operator the job's id."],
};

/** Codes of failed jobs. */
export function JobErrorsTable() {
  const terms = Object.keys(jobErrorFault).map((name) => {
    // The keys of the table that both come from.
    const [meaning, advice] = jobErrors[name as JobErrorCode];
    return {
      name,
      aside: meaning,
      text: advice,
    };
  });
  return <TermList label="Codes of failed jobs" terms={terms} />;
}
