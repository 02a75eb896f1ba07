import { db } from "#lib/db/client.ts";
import { findJobById } from "#lib/db/queries/jobs/jobs.ts";
import type { DeliveryRow } from "#lib/db/schema/webhook-deliveries.ts";
import { serializeJob } from "./job.ts";

/** The `data` of a webhook: the job as it is now, with newly signed URLs. */
export async function serializeNotification(delivery: DeliveryRow): Promise<unknown> {
  const job = delivery.jobId ? await findJobById(db(), delivery.jobId) : undefined;
  return job ? serializeJob(job) : {};
}
