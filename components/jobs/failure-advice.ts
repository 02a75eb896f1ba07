import type { JobErrorCode } from "#lib/errors.ts";
import type { Job } from "#lib/jobs/view/job.ts";

/** What the owner of a failed job can do about errors whose message says more than their code. */
const adviceByMessage: readonly (readonly [message: RegExp, advice: string])[] = [
  [
    /has no audio\b/,
    "The file has pictures but no sound. Send a file with sound, or leave out the operations on audio.",
  ],
  [
    /has no video\b/,
    "The file has sound but no pictures. Send a video, or use an operation on audio.",
  ],
  [
    /has nothing but silence/,
    "All of the sound is below the threshold. Change the threshold in the playground, or send another file.",
  ],
  [
    /bookmarks that lead to/,
    "There are no bookmarks to split at. Split by page ranges or by a number of pages in the playground.",
  ],
  [
    /has no (?:text|pictures|pages)\b/,
    "The file does not contain what the operation works on. Send another file, or choose another operation in the playground.",
  ],
];

/** The name of a parameter that the message is about. */
const parameter = /`([a-z][a-z0-9_]{0,40})`/;

/** Codes of errors that another value of a parameter may avoid. */
const dependOnParameters: readonly JobErrorCode[] = ["empty", "too_complex", "unsupported_type"];

/** What the owner of a failed job can do. */
export function adviseOn(code: JobErrorCode, message: string): string {
  const known = adviceByMessage.find(([pattern]) => pattern.test(message));
  if (known) return known[1];
  const [, name] = dependOnParameters.includes(code) ? (parameter.exec(message) ?? []) : [];
  if (name === undefined) return failureAdvice[code];
  return `Open the job in the playground and change ${name}: this value does not fit this file.`;
}

/** Operations on protected PDFs, and those whose password is that of a certificate. */
const takePasswords = ["document/unlock-pdf", "document/sign-pdf", "document/verify-signatures"];

/**
 * Whether the job can run once its PDF is unlocked: `document/unlock-pdf` as the first operation, with the
 * password, is the fix.
 */
export function needsUnlock(
  { error_code: code, error, operation }: Pick<Job, "error_code" | "error" | "operation">,
  types: readonly (string | null)[],
): boolean {
  return (
    code === "encrypted" &&
    types.length === 1 &&
    types[0] === "application/pdf" &&
    !takePasswords.includes(operation) &&
    // Later operations of a chain have another file.
    !/^Operation (?!1,)/.test(error ?? "")
  );
}

/** Codes of failures that a retry may not have, because their reason is outside of the file and the parameters. */
const transient: ReadonlySet<JobErrorCode> = new Set([
  "fetch_failed",
  "fetch_timeout",
  "timed_out",
  "set_aside",
  "usage_limit_reached",
  "engine_crashed",
  "out_of_memory",
  "internal",
]);

/** Whether a retry with the same file and parameters must fail again. */
export function failsAgain(code: JobErrorCode | null): boolean {
  return code !== null && !transient.has(code);
}

/** What the owner of a failed job can do, by error code. */
const failureAdvice: Readonly<Record<JobErrorCode, string>> = {
  address_refused:
    "Use a public http or https URL. The operator can allow private hosts with FETCH_ALLOW.",
  fetch_failed:
    "Open the URL yourself: it must return status 200 without authentication. Then retry the job, or upload the file.",
  fetch_timeout: "The source server is too slow. Retry later, or upload the file.",
  too_large:
    "Use a smaller file, or change to a plan with a higher limit. Settings lists the plans.",
  empty: "Check the file and the parameters: there was nothing to process.",
  unsupported_type:
    "Send a file of a supported type. The type is detected from the content, not from the file name.",
  corrupt: "Open the file in another program, save it again, and send the new file.",
  encrypted: "Remove the password or the usage restrictions, and send the file again.",
  too_complex: "Simplify the file: use fewer pixels, frames, pages or layers.",
  usage_limit_reached:
    "You have used your plan's monthly data. Wait until the 1st of next month, or ask for a larger plan.",
  timed_out: "Split the work: send a shorter video or fewer pages.",
  engine_crashed:
    "The file crashed the engine. Open it in another program, save it again, and send the new file.",
  out_of_memory: "Reduce the file's dimensions or length: it needs more memory than a job may use.",
  set_aside:
    "The runner stopped each time it processed this file. Send another version of the file.",
  export_failed:
    "The file was made, but your store did not accept it. The message has the store's reason. Send the request again with a new URL.",
  internal:
    "The service failed, not your file. Retry the job. If it fails again, send the job ID to the operator.",
};
