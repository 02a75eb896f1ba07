"use server";

import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import type { BulkResult, BulkVerb } from "#components/jobs/list/bulk-bar.tsx";
import type { SendResult } from "#components/webhooks/send/results.ts";
import { type JobContext, requireJob } from "#lib/api/endpoints/jobs/find-job.ts";
import {
  cancelAccountJob,
  deleteAccountJob,
  retryAccountJob,
} from "#lib/api/endpoints/jobs/job-actions.ts";
import { requestIdHeader } from "#lib/api/http/request-id.ts";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { RequestError } from "#lib/errors.ts";
import { createId } from "#lib/ids.ts";
import { isFinal } from "#lib/jobs/state.ts";
import { readRateState, requireRateBelowLimit } from "#lib/quotas/rate-limit.ts";
import { resendTo } from "../webhooks/send-result.ts";

export interface ActionResult {
  /** Why the action was rejected. */
  readonly error?: string;
  /** The new job of a retry. */
  readonly jobId?: string;
}

/** Cancels a job that is not final. */
export async function cancelJob(id: string): Promise<ActionResult> {
  return runAction(id, async (context) => {
    await cancelAccountJob(context);
    return {};
  });
}

/** Deletes the files of a final job. */
export async function deleteJobFiles(id: string): Promise<ActionResult> {
  return runAction(id, async (context) => {
    await deleteAccountJob(context);
    return {};
  });
}

/**
 * Creates a new job with the input and the parameters of a final job; with `keepsSteps`, a chain that
 * keeps the output of each operation.
 */
export async function retryJob(id: string, keepsSteps = false): Promise<ActionResult> {
  return runAction(id, async (context) => {
    requireRateBelowLimit(await readRateState(context.account));
    const job = await requireJob(context);
    if (!isFinal(job)) {
      throw new RequestError("conflict", `The job is still ${job.status}. Wait until it finishes.`);
    }
    const retried = await retryAccountJob(context, job, { keepsSteps: keepsSteps === true });
    return { jobId: retried.job.id };
  });
}

/** The most jobs of one call: those of a page. */
const maxBulkJobs = 100;

/** Retries, cancels or deletes several jobs, one after the other. */
export async function runBulkAction(verb: BulkVerb, ids: readonly string[]): Promise<BulkResult> {
  const actions = { retry: retryJob, cancel: cancelJob, delete: deleteJobFiles };
  // A client can send any value.
  if (!Object.hasOwn(actions, verb)) return { done: 0, errors: ["There is no such action."] };
  const action = actions[verb];
  const errors: string[] = [];
  const chosen = ids.slice(0, maxBulkJobs);
  for (const id of chosen) {
    const { error } = await action(id);
    if (error !== undefined) errors.push(error);
  }
  return { done: chosen.length - errors.length, errors };
}

/** Sends a webhook again. */
export async function resendJobWebhook(id: string): Promise<SendResult> {
  const account = await requireAccount();
  const result = await resendTo(account.id, String(id));
  revalidatePath("/dashboard/jobs/[id]", "page");
  return result;
}

type ActionContext = JobContext & { readonly requestId: string };

/**
 * Runs `action` for the signed-in account. A rejected request is returned as an error message; other
 * errors reach the error page.
 */
async function runAction(
  id: unknown,
  action: (context: ActionContext) => Promise<ActionResult>,
): Promise<ActionResult> {
  const account = await findAccount(db(), (await requireAccount()).id);
  const requestId = (await headers()).get(requestIdHeader) ?? createId("req");
  try {
    if (!account) throw new RequestError("unauthorized", "Sign in again to continue.");
    // A client can send any value as an action's argument.
    return await action({ account, params: { id: String(id) }, requestId });
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { error: error.message };
  }
}
