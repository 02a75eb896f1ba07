import type { JobErrorCode } from "#lib/errors.ts";

/** What the owner of a failed job can do, by error code. */
export const failureAdvice: Readonly<Record<JobErrorCode, string>> = {
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
  internal:
    "The service failed, not your file. Retry the job. If it fails again, send the job ID to the operator.",
};
