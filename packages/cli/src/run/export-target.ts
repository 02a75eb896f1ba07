import type { Job } from "../../../sdk/src/index.ts";
import { UsageError } from "../errors.ts";

/** Where the service sends the outputs of jobs. */

export interface ExportFlags {
  /** A connection and a path in it, `conn_…:folder/{filename}`, or a presigned URL. */
  readonly export?: string;
  readonly overwrite?: boolean;
  readonly keep?: boolean;
  readonly output?: string;
}

const reference = /^(?<connection>conn_[0-9A-Za-z]{24})(?::(?<path>.*))?$/s;

/** The fields `output` and `keep` of a request. Throws `UsageError` for flags that do not fit together. */
export function exportFields(flags: ExportFlags): Record<string, unknown> {
  const { export: target, overwrite = false, keep = false, output } = flags;
  if (target === undefined) {
    if (overwrite || keep) {
      throw new UsageError(`--${overwrite ? "overwrite" : "keep"} needs --export.`);
    }
    return {};
  }
  if (output !== undefined && !keep) {
    throw new UsageError("With --export, outputs are not kept for -o. Add --keep to have both.");
  }
  return { output: targetOf(target, overwrite), ...(keep ? { keep } : {}) };
}

function targetOf(target: string, overwrite: boolean): Record<string, unknown> {
  const { connection, path } = reference.exec(target)?.groups ?? {};
  if (connection !== undefined) {
    return { connection, ...(path ? { path } : {}), ...(overwrite ? { overwrite } : {}) };
  }
  if (!/^https?:\/\//i.test(target)) {
    throw new UsageError("--export must be conn_…, conn_…:path or a presigned URL.");
  }
  if (overwrite) throw new UsageError("--overwrite needs a connection as --export.");
  return { url: target };
}

/** Where the files of a job are that were sent and not kept; undefined if the service has them. */
export function exportedPaths(job: Job, fields: Readonly<Record<string, unknown>>) {
  if (fields.output === undefined || fields.keep === true) return undefined;
  return job.data.outputs.flatMap(({ exported }) => {
    if (!exported) return [];
    const { connection, path, url } = exported;
    return [url ?? `${connection}:${path}`];
  });
}
