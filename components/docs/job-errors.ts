import type { JobErrorCode } from "#lib/errors.ts";

/** What the codes of failed jobs mean, and what to do. */
export const jobErrors: Readonly<Record<JobErrorCode, readonly [meaning: string, advice: string]>> =
  {
    address_refused: ["The URL must not be fetched.", "Use a public http or https URL."],
    fetch_failed: [
      "The server did not send the file.",
      "Check the URL. Retry if the server is back.",
    ],
    fetch_timeout: ["The server was too slow.", "Retry, or upload the file."],
    too_large: [
      "The file is larger than the plan allows.",
      "Send a smaller file, or change the plan.",
    ],
    empty: ["The file has no bytes.", "Check the source of the file."],
    unsupported_type: [
      "The operation does not accept this type.",
      "See the accepted types on the page of the operation.",
    ],
    corrupt: ["The file is damaged.", "Open and save it again, then send it."],
    encrypted: ["The file needs a password.", "Remove the password first."],
    too_complex: [
      "The file is beyond a limit.",
      "The message names the limit. See plans and limits.",
    ],
    usage_limit_reached: [
      "The file would exceed the plan's monthly bytes.",
      "Wait for the next month, or change the plan.",
    ],
    timed_out: ["The job took too long.", "Retry, or send a shorter file."],
    engine_crashed: [
      "An engine crashed on the file twice.",
      "Open and save it again, then send it.",
    ],
    out_of_memory: ["The file needed more memory than a job may use.", "Send a smaller file."],
    set_aside: [
      "Every runner that processed the file ended unexpectedly.",
      "Report the job's id to the operator.",
    ],
    export_failed: [
      "The store that `output` names did not accept the file.",
      "The message has the reason. Send the request again with a new URL.",
    ],
    internal: [
      "The service failed three times.",
      "Retry. If it fails again, report the job's id to the operator.",
    ],
  };
