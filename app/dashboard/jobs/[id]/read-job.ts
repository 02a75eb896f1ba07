import { cache } from "react";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { findJob } from "#lib/db/queries/jobs/jobs.ts";
import { isId } from "#lib/ids.ts";

/** The account's job with this ID, or undefined. Queried once per request. */
export const readJob = cache(async (id: string) => {
  const account = await requireAccount();
  return isId(id) ? findJob(db(), account.id, id) : undefined;
});
