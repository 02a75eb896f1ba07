import { z } from "zod";
import type { ShareRow } from "#lib/db/schema/dashboard/shares.ts";
import { shareUrl } from "#lib/jobs/view/shared-result.ts";
import { jobIdPattern } from "../../definition/parameters.ts";

const time = z.iso.datetime();

/** A share as its account sees it. */
export const shareSchema = z
  .strictObject({
    id: z.string(),
    job_id: z.string().regex(jobIdPattern),
    url: z.url(),
    title: z.string().nullable(),
    filename: z.string().nullable(),
    with_input: z.boolean(),
    created_at: time,
    expires_at: time,
  })
  .meta({ id: "Share", description: "A public page with the result of a job." });

export type ShareEntry = z.infer<typeof shareSchema>;

export function serializeShare(share: ShareRow): ShareEntry {
  return {
    id: share.id,
    job_id: share.jobId,
    url: shareUrl(share),
    title: share.title,
    filename: share.filename,
    with_input: share.withInput,
    created_at: share.createdAt.toISOString(),
    expires_at: share.expiresAt.toISOString(),
  };
}
