import { dirname } from "node:path";
import type { UploadRecord } from "#lib/connections/stores/store.ts";
import type { JobOutput } from "#lib/db/schema/jobs.ts";
import { FileGoneError, storage } from "#lib/storage/index.ts";

/**
 * Uploads in several parts that exports have started. They are recorded next to the outputs, so that the attempt after
 * a runner that has died, or the end of the job, can abort them.
 */

/** The record of an output; `index` is its position among the outputs of the job. */
export function recordUploadOf({ key }: Pick<JobOutput, "key">, index: number): UploadRecord {
  const folder = `${dirname(key)}/upload-${index + 1}`;
  const record = `${folder}/id`;
  return {
    async read() {
      try {
        return (await storage().readBytes(record)).toString("utf8");
      } catch (error) {
        if (error instanceof FileGoneError) return undefined;
        throw error;
      }
    },
    async write(uploadId) {
      await storage().write(record, Buffer.from(uploadId));
    },
    clear: () => storage().removeAll(folder),
  };
}
