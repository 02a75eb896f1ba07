import { db } from "#lib/db/client.ts";
import { findShareByToken, insertShare } from "#lib/db/queries/files/shares.ts";
import { findLinkedJob } from "#lib/db/queries/jobs/jobs.ts";
import type { ShareRow } from "#lib/db/schema/dashboard/shares.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { createId, randomBase62 } from "#lib/ids.ts";
import { hasFiles } from "../view/has-files.ts";

/** For how many days a result can be shared. */
export const shareDays = [1, 7, 30] as const;

/** What an account chooses for a share. */
export interface ShareOptions {
  readonly days: (typeof shareDays)[number];
  readonly title: string | null;
  /** The name of the files, without an extension; null if they have neutral names. */
  readonly filename: string | null;
  readonly withInput: boolean;
}

/**
 * Shares the result of a completed job whose files are stored. The share ends with the files at the latest: its
 * page has no copy of them, because a plan says how long files are kept. Undefined if the account has too many.
 */
export async function shareJob(
  job: Pick<JobRow, "id" | "accountId" | "expiresAt">,
  { days, ...options }: ShareOptions,
  now: Date = new Date(),
): Promise<ShareRow | undefined> {
  const chosen = now.getTime() + days * 86_400_000;
  const share: ShareRow = {
    id: createId("shr"),
    accountId: job.accountId,
    jobId: job.id,
    // 190 random bits.
    token: randomBase62(32),
    ...options,
    createdAt: now,
    expiresAt: new Date(Math.min(chosen, job.expiresAt?.getTime() ?? chosen)),
  };
  return (await insertShare(db(), share)) ? share : undefined;
}

/** A share and its job. */
export interface FoundShare {
  readonly share: ShareRow;
  readonly job: JobRow;
}

const tokenPattern = /^[0-9A-Za-z]{32}$/;

/**
 * The share with this token, as long as its files are stored and its account is neither suspended nor closed. It is
 * read for each request, so that a share that was revoked ends at once.
 */
export async function findShare(token: string): Promise<FoundShare | undefined> {
  const share = tokenPattern.test(token) ? await findShareByToken(db(), token) : undefined;
  const job = share && (await findLinkedJob(db(), share.jobId));
  return share && job && hasFiles(job) ? { share, job } : undefined;
}
