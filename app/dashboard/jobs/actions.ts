"use server";

import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import { requestIdHeader } from "#lib/api/http/request-id.ts";
import type { KeyedContext } from "#lib/api/http/route.ts";
import { requireJob } from "#lib/api/read-jobs.ts";
import { repeatJob, requireCancelled, requireDeleted } from "#lib/api/steer.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { RequestError } from "#lib/errors.ts";
import { createId } from "#lib/ids.ts";
import { isFinal } from "#lib/jobs/state.ts";
import { readRate, requireRate } from "#lib/quotas/rate-limit.ts";
import { resendDelivery } from "#lib/webhooks/deliveries.ts";

/** What came of it: a sentence where it was refused. */
export interface ActionOutcome {
  readonly error?: string;
  /** The job that was made. */
  readonly jobId?: string;
}

/** Cancels a job that has not ended. */
export async function cancelJob(id: string): Promise<ActionOutcome> {
  return act(id, async (own) => {
    await requireCancelled(own);
    return {};
  });
}

/** Deletes the files of a job that has ended. */
export async function deleteJob(id: string): Promise<ActionOutcome> {
  return act(id, async (own) => {
    await requireDeleted(own);
    return {};
  });
}

/** Makes a new job with the input and the parameters of one that has ended. */
export async function runAgain(id: string): Promise<ActionOutcome> {
  return act(id, async (own) => {
    requireRate(await readRate(own.account));
    const job = await requireJob(own);
    if (!isFinal(job)) {
      throw new RequestError("conflict", `The job is ${job.status}; it runs already.`);
    }
    const made = await repeatJob(own, job);
    return { jobId: made.id };
  });
}

/** Sends a notification again. False where the account has no such delivery. */
export async function sendAgain(id: string): Promise<boolean> {
  const account = await requireAccount();
  const delivery = await resendDelivery(account.id, String(id));
  revalidatePath("/dashboard/jobs/[id]", "page");
  return delivery !== undefined;
}

type OwnJob = Pick<KeyedContext, "account" | "params" | "requestId">;

/** Does `work` for who is signed in; a refusal is told, anything else is the error page's. */
async function act(
  id: unknown,
  work: (own: OwnJob) => Promise<ActionOutcome>,
): Promise<ActionOutcome> {
  const account = await findAccount(db(), (await requireAccount()).id);
  const requestId = (await headers()).get(requestIdHeader) ?? createId("req");
  try {
    if (!account) throw new RequestError("unauthorized", "Sign in again to go on.");
    // An action's arguments are whatever a client sends.
    return await work({ account, params: { id: String(id) }, requestId });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { error: error.message };
  }
}
