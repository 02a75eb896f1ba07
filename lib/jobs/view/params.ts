import type { JobRow, JobSource } from "#lib/db/schema/jobs.ts";
import { redactUrl } from "#lib/net/redact-url.ts";
import { hiddenValue, isSecretPart } from "#lib/operations/secret-values.ts";
import type { RequestedStep } from "../secrets.ts";
import { inputIndexOf } from "../sources.ts";
import { paramsOf, partPrefix, requestedSteps } from "../steps.ts";

type RequestedJob = Pick<JobRow, "operation" | "params" | "parts">;

/** The `params` of a job as clients see them: the stored ones and the URLs of its further files. */
export function shownParams(row: RequestedJob): Record<string, unknown> {
  return paramsOf(row, shownSteps(row));
}

/** The operations of a job with their parameters as clients see them, in order. */
export function shownSteps(row: RequestedJob): RequestedStep[] {
  return requestedSteps(row).map(({ type, params }, index) => ({
    type,
    params: { ...params, ...shownFiles(row.parts, partPrefix(row, index)) },
  }));
}

/** The URLs that a request gave for further files whose parts have this prefix, by field: `watermark_url`. */
function shownFiles(parts: JobRow["parts"], prefix: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [part, source] of Object.entries(parts)) {
    if (!part.startsWith(prefix) || inputIndexOf(part) !== undefined) continue;
    const url = shownUrl(source);
    if (url === null) continue;
    fields[`${part.slice(prefix.length)}_url`] = isSecretPart(part) ? hiddenValue : url;
  }
  return fields;
}

/**
 * The URL, or the file in a connection, that a request gave for a file, without user info and query values. Null for
 * an upload.
 */
export function shownUrl(source: JobSource): string | null {
  const given =
    source.kind === "stored" ? (source.reference ?? source.requestedUrl ?? source.url) : source.url;
  return given === undefined ? null : redactUrl(given);
}
