import { cancelAccountJob, retryAccountJob } from "#lib/api/endpoints/jobs/job-actions.ts";
import { db } from "#lib/db/client.ts";
import { findAccount } from "#lib/db/queries/accounts/accounts.ts";
import { completeOperatorAct, deleteOperatorAct } from "#lib/db/queries/operator/acts.ts";
import { findJobOfAnyone } from "#lib/db/queries/operator/queue.ts";
import type { ActValues } from "#lib/db/schema/operator/operator-acts.ts";
import { RequestError } from "#lib/errors.ts";
import { createId } from "#lib/ids.ts";
import { isFinal } from "#lib/jobs/state.ts";
import { type Operator, OperatorError } from "../operator.ts";
import { type Act, recordAct } from "../record.ts";

/** Cancels a job of any account. Throws `OperatorError` if it has ended. */
export async function cancelJobOf(operator: Operator, jobId: string): Promise<void> {
  const { job, account } = await requireJobAndAccount(jobId);
  const act: Act = { action: "job.cancel", account, subjectId: jobId };
  await doRecorded(operator, { ...act, before: { status: job.status } }, async () => {
    await cancelAccountJob({ account, params: { id: jobId } });
    return { status: "cancelled" };
  });
}

/**
 * Creates a new job of the same account with the input and the parameters of one that ended. Returns the id of
 * the new job. Throws `OperatorError` if its input is no longer there or the account's plan does not allow it.
 */
export async function retryJobOf(operator: Operator, jobId: string): Promise<string> {
  const { job, account } = await requireJobAndAccount(jobId);
  if (!isFinal(job)) {
    throw new OperatorError(`The job is still ${job.status}. Wait until it finishes.`);
  }
  if (account.suspendedAt) {
    throw new OperatorError("The job's account is suspended. Restore the account first.");
  }
  let newJob = "";
  const act: Act = { action: "job.retry", account, subjectId: jobId };
  await doRecorded(operator, { ...act, before: { status: job.status } }, async () => {
    const retried = await retryAccountJob({ account, requestId: createId("req") }, job);
    newJob = retried.job.id;
    return { job: newJob };
  });
  return newJob;
}

async function requireJobAndAccount(jobId: string) {
  const job = await findJobOfAnyone(db(), jobId);
  const account = job && (await findAccount(db(), job.accountId));
  if (!job || !account || account.plan === "system") {
    throw new OperatorError("There is no job with this id.");
  }
  return { job, account };
}

/** Does an act that is recorded first: an act that changed something is never without a record. */
async function doRecorded(
  operator: Operator,
  act: Act,
  work: () => Promise<ActValues>,
): Promise<void> {
  const id = await recordAct(db(), operator, act);
  try {
    await completeOperatorAct(db(), id, await work());
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    // Nothing was done.
    await deleteOperatorAct(db(), id);
    throw new OperatorError(error.message, { cause: error });
  }
}
