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
  insertStatusCheck,
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
import { cancelJob } from "../actions/actions.ts";
import { isFinal } from "../state.ts";
import { inputFolder, inputKey, outputFolder } from "../storage-keys.ts";
import { checkIntervalSeconds, staleSeconds, statusCheckJobs } from "./checks.ts";

/** The sweep runs once a minute: without this, every fifth one could come a little too early. */
const earlySeconds = 10;

/** Not an email address, so that no one can sign up or sign in with it. */
const systemEmail = "system:status-checks";

/**
 * Part of the sweep: records the results of ended checks, and every five minutes starts the next ones. Of
 * concurrent sweeps on any machines, one starts them. Does not wait for their jobs: a later sweep records them.
 */
export async function runStatusChecks(intervalSeconds = checkIntervalSeconds): Promise<void> {
  const open = await listOpenChecks(db());
  for (const check of open) await collect(check);
  if (!(await takeStatusRun(db(), Math.max(0, intervalSeconds - earlySeconds)))) return;
  const account = await findOrCreateSystemAccount();
  await transaction(async (tx) => {
    await deleteOldStatusChecks(tx);
    await deleteUsageOf(tx, account.id);
  });
  const busy = new Set((await listOpenChecks(db())).map(({ check }) => check.engine));
  const installed = await listInstalledEngines();
  for (const engine of checkedEngines) {
    const isInstalled = statusCheckJobs[engine].requires.every((name) => installed.has(name));
    if (isInstalled && !busy.has(engine)) await startCheck(engine, account);
  }
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
async function startCheck(engine: CheckedEngine, account: Account): Promise<void> {
  const { operation, params, filename, type, bytes } = statusCheckJobs[engine];
  const id = createId("job");
  // With the defaults, as the API stores them.
  const allParams = findOperation(operation)?.params.parse(params);
  if (!allParams) throw new Error(`there is no operation ${operation}`);
  try {
    await stageUpload(id);
    const key = inputKey(id, "file");
    const stored = await storage().write(key, bytes());
    await createJob({
      ...{ id, account, operation, params: allParams, parts: {}, metadata: {} },
      source: { kind: "stored", key, filename, contentType: mediaType(type).mime, ...stored },
      ...{ webhookUrl: null, requestId: createId("req") },
    });
    await insertStatusCheck(db(), { id, engine });
  } catch (err) {
    log.warn({ err, engine }, "status check was not started");
    await discardStagedUpload(id);
  }
}

/** Records the result of a check whose job has ended, and deletes the job with its files. */
async function collect({ check, job, seconds }: OpenCheck): Promise<void> {
  if (!job) {
    await transaction((tx) => dropStatusCheck(tx, check.id));
    return;
  }
  if (!isFinal(job)) {
    if (seconds < staleSeconds) return;
    await cancelJob(job.accountId, job.id);
  }
  await storage().removeAll(inputFolder(job.id));
  await storage().removeAll(outputFolder(job.id));
  const ended = resultOf(check.engine, job);
  await transaction((tx) =>
    ended ? endStatusCheck(tx, check.id, ended) : dropStatusCheck(tx, check.id),
  );
  if (ended?.result === "failing") {
    log.warn({ engine: check.engine, error_code: ended.errorCode }, "status check failed");
  }
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
