import { cache } from "react";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { findJob } from "#lib/db/queries/jobs/jobs.ts";

/** The job if it is the account's; looked up once for all that a page is made of. */
export const readOwnJob = cache(async (id: string) => {
  const account = await requireAccount();
  return findJob(db(), account.id, id);
});
