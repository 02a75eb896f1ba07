import type { JobErrorCode } from "#lib/errors.ts";

/** What the job's owner can do about each reason to fail. */
export const advice: Readonly<Record<JobErrorCode, string>> = {
  address_refused:
    "Use a public http or https address. An operator can allow a private one in FETCH_ALLOW.",
  fetch_failed:
    "Open the address yourself: it must answer 200 without a sign-in. Then run the job again, or upload the file.",
  fetch_timeout: "The source is too slow to be read from here. Upload the file instead.",
  too_large: "Use a smaller file, or a plan that takes larger ones; Settings lists them.",
  empty: "Check the file and the parameters: there was nothing to work on.",
  unsupported_type:
    "The type is read from the content, not from the name. Send one of the types that the operation takes.",
  corrupt: "Open the file in another program, save it anew there, and send that.",
  encrypted: "Remove the password or the rights protection, and send the file again.",
  too_complex: "Simplify the file: fewer pixels, frames, pages or layers.",
  usage_limit_reached:
    "The plan's gigabytes of this month are used up. They begin anew on the 1st, or ask for a larger plan.",
  timed_out: "Split the work into smaller pieces: a shorter film, fewer pages.",
  engine_crashed:
    "The engine could not survive this file. Save it anew in another program and send that.",
  out_of_memory: "Scale the file down before you send it: it needs more memory than a job has.",
  set_aside: "Each time a runner worked on this file it stopped. Send another version of the file.",
  internal:
    "This is our fault, not your file's. Run the job again; if it stays so, tell the operator the job's id.",
};
