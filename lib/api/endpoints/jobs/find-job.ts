import { db } from "#lib/db/client.ts";
import { findJob } from "#lib/db/queries/jobs/jobs.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { RequestError } from "#lib/errors.ts";
import type { AccountCaller } from "../../definition/access.ts";
import { jobIdPattern } from "../../definition/parameters.ts";

/** Whose job, and which one. */
export interface JobContext extends AccountCaller {
  readonly params: { readonly id: string };
}

/** The caller's job of the path. Throws the same 404 for the job of another caller as for no job. */
export async function requireJob({ account, token, params }: JobContext): Promise<JobRow> {
  const { id } = params;
  const job = jobIdPattern.test(id) ? await findJob(db(), account.id, id) : undefined;
  if (!job || (token && job.tokenId !== token.id)) throw noSuchJob();
  return job;
}

export function noSuchJob(): RequestError {
  return new RequestError("not_found", "There is no such job.");
}
