import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { createAccount } from "#lib/auth/accounts.ts";
import { db, transaction } from "#lib/db/client.ts";
import { countAccounts, findAccountByEmail } from "#lib/db/queries/accounts/accounts.ts";
import { claimNextJob } from "#lib/db/queries/jobs/claims.ts";
import { recordHeartbeat } from "#lib/db/queries/jobs/runners.ts";
import { searchAccounts } from "#lib/db/queries/operator/accounts.ts";
import { listOperationErrors, listOperationStats } from "#lib/db/queries/operator/operations.ts";
import { countQueuedJobs, listFailedOfAnyone } from "#lib/db/queries/operator/queue.ts";
import { countStoredFiles } from "#lib/db/queries/operator/storage.ts";
import type { CheckedEngine } from "#lib/db/schema/operator/checked-engines.ts";
import { createId } from "#lib/ids.ts";
import { createJob } from "#lib/jobs/accept/create.ts";
import { readStatus } from "#lib/jobs/status/report.ts";
import { runStatusChecks } from "#lib/jobs/status/run-checks.ts";
import { cancelJobOf, retryJobOf } from "#lib/operator/acts/jobs.ts";

const operator = { name: "operator@example.com", accountId: null, address: null };
const installed = { image: "1", ffmpeg: "7", ffprobe: "7", chromium: "1", qpdf: "12" };

beforeEach(async () => {
  await db().execute(sql`delete from status_checks`);
  await db().execute(sql`delete from status_runs`);
  await db().execute(sql`delete from jobs`);
  const report = { engines: { ...installed, libreoffice: null } };
  await recordHeartbeat(db(), { id: "media-checks", kind: "media", report });
});

/** The engines of the checks without a result. */
async function openEngines(): Promise<string[]> {
  const rows = await db().execute<{ engine: string }>(
    sql`select engine from status_checks where result is null order by engine`,
  );
  return rows.map(({ engine }) => engine);
}

/** Ends the job of an engine's check as a runner would. */
function endJob(
  engine: CheckedEngine,
  end: { status: string; ms?: number; code?: string; contentType?: string },
) {
  const outputs = JSON.stringify(
    end.contentType ? [{ key: "outputs/x", bytes: 10, contentType: end.contentType }] : [],
  );
  return db().execute(sql`
    update jobs set status = ${end.status}, error_code = ${end.code ?? null}, outputs = ${outputs}::json,
      engine_started_at = now(), completed_at = now(), expires_at = now() + interval '1 hour',
      engine_ended_at = case when ${end.ms ?? null}::int is not null
        then now() + make_interval(secs => ${end.ms ?? 0}::float8 / 1000) end
    where id = (select id from status_checks where engine = ${engine} and result is null)`);
}

it("checks each installed engine once, of concurrent sweeps only one, and again after its interval", async () => {
  await Promise.all([runStatusChecks(), runStatusChecks(), runStatusChecks()]);
  expect(await openEngines()).toEqual(["chromium", "ffmpeg", "image", "pdf"]);
  await runStatusChecks();
  const jobs = await db().execute(sql`select plan, params from jobs order by operation`);
  expect(jobs.map(({ plan }) => plan)).toEqual(["system", "system", "system", "system"]);
  // With defaults, as runners expect them.
  expect(jobs.at(-1)?.params).toMatchObject({ width: 16, fit: "inside" });
  // The next run is due, but the checks of the first one still wait.
  await db().execute(sql`update status_runs set started_at = now() - interval '295 seconds'`);
  await runStatusChecks();
  expect(await openEngines()).toHaveLength(4);
});

it("records results, deletes the jobs, and says when a result is too old", async () => {
  await runStatusChecks();
  await endJob("image", { status: "completed", ms: 40, contentType: "image/png" });
  await endJob("ffmpeg", { status: "completed", ms: 60_000, contentType: "audio/mpeg" });
  await endJob("pdf", { status: "failed", code: "engine_crashed" });
  await endJob("chromium", { status: "completed", ms: 900, contentType: "text/plain" });
  await runStatusChecks();
  expect(await db().execute(sql`select id from jobs`)).toHaveLength(0);
  const report = await readStatus();
  expect(Object.fromEntries(report.engines.map(({ engine, state }) => [engine, state]))).toEqual({
    image: "operational",
    ffmpeg: "slow",
    pdf: "failing",
    chromium: "failing",
    libreoffice: "no_recent_check",
  });
  expect(report.state).toBe("failing");
  expect(report.engines[0]?.last_check).toMatchObject({ result: "operational", duration_ms: 40 });
  expect(report.engines[0]).toMatchObject({ availability: { last_24_hours: 1, last_90_days: 1 } });
  expect(report.engines[0]?.days).toHaveLength(90);
  expect(report.engines[0]?.hours.at(-1)).toMatchObject({ checks: 1, failing: 0 });
  expect(report.incidents).toMatchObject([
    { is_ongoing: true, failed_checks: 1 },
    { is_ongoing: true, failed_checks: 1 },
  ]);
  const later = await readStatus(new Date(Date.now() + 16 * 60_000));
  expect(new Set(later.engines.map(({ state }) => state))).toEqual(new Set(["no_recent_check"]));
  expect(later.incidents.some(({ is_ongoing }) => is_ongoing)).toBe(false);
});

it("says nothing about an engine whose check never started, and fails one that hangs", async () => {
  await runStatusChecks();
  await db().execute(sql`update status_checks set checked_at = now() - interval '16 minutes'`);
  await db().execute(sql`
    update jobs set status = 'processing', engine_started_at = now() - interval '16 minutes'
    where id = (select id from status_checks where engine = 'pdf')`);
  await runStatusChecks();
  const rows = await db().execute(sql`select engine, result, error_code from status_checks`);
  expect([...rows]).toEqual([{ engine: "pdf", result: "failing", error_code: "timed_out" }]);
});

it("counts consecutive failing checks as one incident", async () => {
  for (const minutes of [60, 55, 50, 20]) {
    await db().execute(sql`
      insert into status_checks (id, engine, result, error_code, checked_at)
      values (${createId("job")}, 'image', 'failing', 'internal', now() - make_interval(mins => ${minutes}))`);
  }
  await db().execute(sql`
    insert into status_checks (id, engine, result, duration_ms, checked_at)
    values (${createId("job")}, 'image', 'operational', 12, now() - interval '1 minute')`);
  const { incidents, engines } = await readStatus();
  expect(incidents.map(({ failed_checks: failed }) => failed)).toEqual([1, 3]);
  expect(incidents.every(({ is_ongoing: ongoing }) => !ongoing)).toBe(true);
  expect(engines[0]?.availability.last_90_days).toBeCloseTo(0.2);
});

it("goes after the jobs of everyone, and is in no list of an operator", async () => {
  await runStatusChecks();
  const account = await createAccount({ email: "queue@operator.example", plan: "free" });
  if (!account) throw new Error("the account exists already");
  const id = createId("job");
  await createJob({
    id,
    account,
    operation: "image/qr-code",
    params: { text: "a secret text" },
    source: { kind: "none" },
    parts: {},
    metadata: {},
    webhookUrl: null,
    requestId: "req_1",
  });
  expect(await countQueuedJobs(db())).toMatchObject([
    { plan: "free", operation: "image/qr-code", status: "pending", jobs: 1 },
  ]);
  // The checks have waited longer, and all of them for more than ten minutes.
  await db().execute(
    sql`update jobs set created_at = now() - interval '11 minutes' where plan = 'system'`,
  );
  const claim = await transaction((tx) => claimNextJob(tx, "run", "token", 60, { idle: true }));
  expect(claim?.job.id).toBe(id);

  await db().execute(sql`
    update jobs set status = 'failed', error_code = 'internal', lease_token = null,
      completed_at = now() where id = ${id}`);
  expect(await listOperationStats(db(), 24)).toMatchObject([
    { operation: "image/qr-code", jobs: 1, failed: 1, failureRate: 1, p95Ms: null },
  ]);
  expect(await listOperationErrors(db(), 24)).toEqual([
    { operation: "image/qr-code", code: "internal", jobs: 1 },
  ]);
  const failed = await listFailedOfAnyone(db(), { limit: 5, searched: 100 });
  expect(failed).toMatchObject([{ id, email: account.email }]);
  expect(JSON.stringify(failed)).not.toContain("a secret text");
  expect((await countStoredFiles(db())).expiredJobs).toBe(0);

  const retried = await retryJobOf(operator, id);
  await cancelJobOf(operator, retried);
  await expect(cancelJobOf(operator, retried)).rejects.toThrow("Only a pending");
  const [check] = await db().execute<{ id: string }>(sql`select id from status_checks`);
  await expect(cancelJobOf(operator, check?.id ?? "")).rejects.toThrow("There is no job");
  const acts = await db().execute(
    sql`select action, subject_id, before, after from operator_acts order by id`,
  );
  expect([...acts]).toEqual([
    { action: "job.retry", subject_id: id, before: { status: "failed" }, after: { job: retried } },
    {
      action: "job.cancel",
      subject_id: retried,
      before: { status: "pending" },
      after: { status: "cancelled" },
    },
  ]);

  const system = await findAccountByEmail(db(), "system:status-checks");
  expect(system?.plan).toBe("system");
  expect(await countAccounts(db())).toBe(1);
  expect((await searchAccounts(db(), { limit: 10 })).map(({ email }) => email)).toEqual([
    account.email,
  ]);
});
