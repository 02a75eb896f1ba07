import { db, transaction } from "#lib/db/client.ts";
import {
  type Account,
  findAccountByEmail,
  insertAccount,
} from "#lib/db/queries/accounts/accounts.ts";
import { listLiveRunners } from "#lib/db/queries/jobs/runners.ts";
import {
  deleteOldStatusChecks,
  deleteUsageOf,
  dropStatusCheck,
  endStatusCheck,
  insertStatusChecks,
  listOpenChecks,
  type OpenCheck,
  takeStatusRun,
} from "#lib/db/queries/operator/status-checks.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import {
  type CheckedEngine,
  type CheckResult,
  checkedEngines,
} from "#lib/db/schema/operator/checked-engines.ts";
import { createId } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { mediaType } from "#lib/media/types.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import { storage } from "#lib/storage/index.ts";
import { generateWebhookSecret } from "#lib/webhooks/secret.ts";
import { createJob } from "../accept/create.ts";
import { discardStagedUpload, stageUpload } from "../accept/staged-uploads.ts";
import { cancelJob } from "../actions/cancel.ts";
import { removeJobFolders } from "../actions/delete-files.ts";
import { isFinal } from "../state.ts";
import { inputKey } from "../storage-keys.ts";
import { checkIntervalSeconds, staleSeconds, statusCheckJobs } from "./checks.ts";

/** The sweep runs once a minute: without this, every fifth one could come a little too early. */
const earlySeconds = 10;

/** A check whose job was not accepted for so long has none. */
const orphanSeconds = 120;

/** The name is not an email address, so that no one can sign up or sign in with it. */
const systemEmail = "system:status-checks";

/** The time until which there is nothing to do for this process. */
let quietUntilMs = 0;

/** Part of the sweep of every minute. Mostly does nothing, so that an idle service needs few transactions. */
export async function sweepStatusChecks(): Promise<void> {
  if (Date.now() < quietUntilMs) return;
  quietUntilMs = Date.now() + 1000 * (await runStatusChecks());
}

/**
 * Records the results of ended checks, and every five minutes starts the next ones. Of concurrent calls on
 * any machines, one starts them. Does not wait for their jobs: a later call records them. Returns in how many
 * seconds it needs to be called again.
 */
export async function runStatusChecks(): Promise<number> {
  const open = await collect(await listOpenChecks(db()));
  const seconds = await takeStatusRun(db(), checkIntervalSeconds - earlySeconds);
  if (seconds > 0) return open.length > 0 ? 0 : seconds;
  const account = await findOrCreateSystemAccount();
  const busy = new Set(open.map(({ check }) => check.engine));
  const installed = await listInstalledEngines();
  const checks = checkedEngines
    .filter((engine) => !busy.has(engine))
    .filter((engine) => statusCheckJobs[engine].requires.every((name) => installed.has(name)))
    .map((engine) => ({ id: createId("job"), engine }));
  await transaction(async (tx) => {
    await deleteOldStatusChecks(tx);
    await deleteUsageOf(tx, account.id);
    // Before the jobs, so that no job is without its check.
    await insertStatusChecks(tx, checks);
  });
  for (const check of checks) await startCheck(check, account);
  return 0;
}

/** The engines of the live media runners. */
async function listInstalledEngines(): Promise<ReadonlySet<string>> {
  // As long as the sweep's interval: a runner that is just restarted is still installed.
  const reports = await listLiveRunners(db(), "media", 60);
  const engines = reports.flatMap((report) => Object.entries(report.engines));
  return new Set(engines.flatMap(([name, version]) => (version === null ? [] : name)));
}

async function findOrCreateSystemAccount(): Promise<Account> {
  const found = await findAccountByEmail(db(), systemEmail);
  if (found) return found;
  const values = {
    email: systemEmail,
    plan: "system",
    webhookSecret: generateWebhookSecret(),
  } as const;
  const created = await insertAccount(db(), { id: createId("acc"), ...values });
  // Undefined: another machine has just created it.
  const account = created ?? (await findAccountByEmail(db(), systemEmail));
  if (!account) throw new Error("the system's account is missing");
  return account;
}

/** Accepts the job of a check. A failure is logged: the page then shows that there is no recent check. */
async function startCheck(
  { id, engine }: { readonly id: string; readonly engine: CheckedEngine },
  account: Account,
): Promise<void> {
  const { operation, params, filename, type, bytes } = statusCheckJobs[engine];
  // With the defaults, as the API stores them.
  const allParams = findOperation(operation)?.params.parse(params);
  if (!allParams) throw new Error(`there is no operation ${operation}`);
  try {
    await stageUpload(id);
    const key = inputKey(id, "file");
    const stored = await storage().write(key, bytes());
    await createJob({
      id,
      account,
      operation,
      params: allParams,
      parts: {},
      metadata: {},
      source: { kind: "stored", key, filename, contentType: mediaType(type).mime, ...stored },
      webhookUrl: null,
      requestId: createId("req"),
    });
  } catch (err) {
    log.warn({ err, engine }, "status check was not started");
    await discardStagedUpload(id);
  }
}

/** Records the results of checks whose jobs have ended, and deletes these jobs. Returns the others. */
async function collect(open: readonly OpenCheck[]): Promise<OpenCheck[]> {
  const ended: OpenCheck[] = [];
  for (const one of open) if (await hasEnded(one)) ended.push(one);
  if (ended.length === 0) return [...open];
  await transaction(async (tx) => {
    for (const { check, job } of ended) {
      const result = job ? resultOf(check.engine, job) : undefined;
      if (result) await endStatusCheck(tx, check.id, result);
      else await dropStatusCheck(tx, check.id);
    }
  });
  return open.filter((one) => !ended.includes(one));
}

/** Whether the check's job has ended or is gone. Then its files are deleted. A job that hangs is cancelled. */
async function hasEnded({ check, job, seconds }: OpenCheck): Promise<boolean> {
  // Another machine may be just about to accept it.
  if (!job) return seconds > orphanSeconds;
  if (!isFinal(job)) {
    if (seconds < staleSeconds) return false;
    await cancelJob(job.accountId, job.id);
  }
  await removeJobFolders(job.id);
  const result = resultOf(check.engine, job);
  if (result?.result === "failing") {
    log.warn({ engine: check.engine, error_code: result.errorCode }, "status check failed");
  }
  return true;
}

/**
 * How a check ended. Undefined if its job never started: then the runners were busy with other jobs, which
 * go first, and nothing is known about the engine.
 */
export function resultOf(
  engine: CheckedEngine,
  job: Pick<JobRow, "status" | "errorCode" | "engineStartedAt" | "engineEndedAt" | "outputs">,
): { result: CheckResult; durationMs: number | null; errorCode: string | null } | undefined {
  const { status, errorCode, engineStartedAt, engineEndedAt, outputs } = job;
  if (!engineStartedAt) return undefined;
  const durationMs =
    engineEndedAt && Math.max(0, engineEndedAt.getTime() - engineStartedAt.getTime());
  if (status !== "completed" || durationMs === null) {
    return { result: "failing", durationMs: null, errorCode: errorCode ?? "timed_out" };
  }
  const { produces, slowMs } = statusCheckJobs[engine];
  const isRight = outputs.some(({ bytes, contentType }) => bytes > 0 && contentType === produces);
  if (!isRight) return { result: "failing", durationMs, errorCode: "wrong_output" };
  return { result: durationMs > slowMs ? "slow" : "operational", durationMs, errorCode: null };
}
