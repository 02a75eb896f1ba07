import { connectionNetworkFor } from "#lib/connections/network.ts";
import { minPartBytes } from "#lib/connections/stores/multipart.ts";
import { withConnection } from "#lib/connections/use-connection.ts";
import type { ConnectionTarget, JobOutput, JobRow } from "#lib/db/schema/jobs.ts";
import { log } from "#lib/log.ts";
import { pathsOf, writeUseOf } from "./output.ts";
import { recordUploadOf } from "./started-uploads.ts";

/** How long the end of a job may wait for its store. */
const abortMs = 15_000;

/**
 * Aborts the uploads in several parts that a job which has ended did not complete. Never fails: the connection may be
 * gone, and its store may not permit it.
 */
export async function abortStartedUploads(
  job: JobRow,
  target: ConnectionTarget,
  outputs: readonly JobOutput[],
): Promise<void> {
  const paths = pathsOf(job, target, outputs);
  const found = await Promise.all(
    outputs.map(async (output, index) => {
      if (output.bytes < minPartBytes) return [];
      const uploadId = await recordUploadOf(output, index).read();
      return uploadId === undefined ? [] : [{ path: paths[index] ?? "", uploadId }];
    }),
  );
  const uploads = found.flat();
  if (uploads.length === 0) return;
  const use = writeUseOf(job, target);
  const signal = AbortSignal.timeout(abortMs);
  try {
    await withConnection(
      use,
      { network: connectionNetworkFor(job.plan), signal },
      async (opened) => {
        for (const { path, uploadId } of uploads) {
          await opened.store.abortUpload?.(opened.at(path), uploadId);
        }
      },
    );
  } catch (error) {
    log.warn({ err: error, job: job.id, connection: target.id }, "uploads in parts not aborted");
  }
}
