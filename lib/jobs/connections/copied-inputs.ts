import { db } from "#lib/db/client.ts";
import { replaceSources } from "#lib/db/queries/jobs/jobs.ts";
import type { JobRow, JobSource } from "#lib/db/schema/jobs.ts";
import { storage } from "#lib/storage/index.ts";
import { sourcesOf } from "../sources.ts";
import { inputFolder } from "../storage-keys.ts";

/**
 * Deletes the copies of a job's inputs if all of them are in connections, where the owner wants them to stay. The job
 * then names them by their references again, so that a retry fetches them. `job` has ended.
 */
export async function removeCopiedInputs(job: JobRow): Promise<void> {
  const sources = sourcesOf(job);
  if (sources.length === 0 || !sources.every(isInStore)) return;
  const { source } = job;
  await replaceSources(db(), job.id, {
    source: source.kind === "none" ? source : toReference(source),
    parts: Object.fromEntries(
      Object.entries(job.parts).map(([part, one]) => [part, toReference(one)]),
    ),
  });
  await storage().removeAll(inputFolder(job.id));
}

const isInStore = (source: JobSource) => source.kind === "stored" && source.reference !== undefined;

function toReference(source: JobSource): JobSource {
  return source.kind === "stored" && source.reference !== undefined
    ? { kind: "url", url: source.reference }
    : source;
}
