import type { JobOutput, JobRow } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import { hasFiles } from "#lib/jobs/view/has-files.ts";
import type { ResponseHeaderName } from "../../definition/response-headers.ts";
import { fileGone } from "../../http/send-file.ts";

/** The outputs of a completed job. Throws 409 if it is not completed, 410 if they were deleted. */
export function requireOutputs(job: JobRow): readonly JobOutput[] {
  if (job.status !== "completed") {
    const message = `The job is ${job.status}. Only a completed job has outputs.`;
    throw new RequestError("conflict", message);
  }
  if (!hasFiles(job)) throw fileGone();
  return job.outputs;
}

/** The output with this index. Throws 404 if the job has fewer outputs. */
export function requireOutput(job: JobRow, index: number): JobOutput {
  const outputs = requireOutputs(job);
  const output = outputs[index];
  if (output?.isRemoved) throw new RequestError("gone", exportedMessage);
  if (output) return output;
  const message = `The job has no such output. It has ${outputs.length}, counted from 0.`;
  throw new RequestError("not_found", message);
}

/** The message about a file that is only where it was sent. */
export const exportedMessage =
  "The file was sent to the store that the request named, and was not kept here.";

/** Error codes of requests for outputs. */
export const outputErrors = ["not_found", "conflict", "gone", "precondition_failed"] as const;

/** Request headers of a file download. */
export const downloadRequestHeaders = ["Range", "IfRange", "IfNoneMatch", "IfMatch"] as const;

/** Responses of a file download. `headers` are in all of them. */
export function downloadResponses(headers: readonly ResponseHeaderName[]) {
  const fileHeaders: readonly ResponseHeaderName[] = [
    ...headers,
    "ETag",
    "Accept-Ranges",
    "Content-Disposition",
    "Content-Security-Policy",
  ];
  const content = { "*/*": { type: "string", contentMediaType: "application/octet-stream" } };
  return {
    200: { description: "The file.", headers: [...fileHeaders, "Content-Length"], content },
    206: {
      description: "The requested range of the file.",
      headers: [...fileHeaders, "Content-Length", "Content-Range"],
      content,
    },
    302: {
      description:
        "With the setting `DOWNLOADS=redirect` and an object store: the file is at this signed URL of the store. HEAD is not redirected.",
      headers: [...headers, "Location"],
    },
    304: { description: "You have this file.", headers: fileHeaders },
    416: {
      description: "The range is outside of the file.",
      headers: [...headers, "Content-Range"],
      isError: true,
    },
  } as const;
}
