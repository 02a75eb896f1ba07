import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import type { Job } from "#lib/jobs/view/job.ts";
import type { Operation } from "#lib/operations/define.ts";
import type { PlanName } from "#lib/plans.ts";
import { findRunningDatabase } from "#lib/supervisor/database/running-database.ts";
import { insertAccount, insertKey } from "#tests/service/accounts.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { runAdmin } from "#tests/service/run-admin.ts";
import type { ServiceWithHost } from "#tests/service/service.ts";
import { freePort, until } from "#tests/service/stack.ts";
import { typicalOperations } from "./typical-operations.ts";

const samplesFolder = join(import.meta.dirname, "../../public/samples");

export interface Login {
  readonly email: string;
  readonly password: string;
}

/** The accounts and jobs that the screenshots show. */
export interface SampleData {
  readonly busy: Login & { readonly accountId: string; readonly key: string };
  readonly fresh: Login;
  /** An account like `fresh`, for pages whose actions create something. */
  readonly spare: Login;
  /** Has the role of an operator. */
  readonly operator: Login;
  /** Jobs of the busy account: completed jobs by operation id, others by their state. */
  readonly jobs: Readonly<Record<string, Job>>;
  readonly deliveries: readonly { readonly id: string }[];
  /** The id of a webhook endpoint of the busy account. */
  readonly endpoint: string;
  /** The id of a rejected request of the busy account. */
  readonly rejectedRequest: string;
  /** The token of a public page with a result of the busy account. */
  readonly share: string;
}

/**
 * Creates an account with the data of a month of work, and accounts without any activity. All email
 * addresses are at `domain`.
 */
export async function createSampleData(
  { service, host }: Pick<ServiceWithHost, "service" | "host">,
  domain = "lakehouse.example",
): Promise<SampleData> {
  const busy = await createLogin(service.dataDir, `mira@${domain}`, "pro");
  const fresh = await createLogin(service.dataDir, `new@${domain}`, "free");
  const spare = await createLogin(service.dataDir, `spare@${domain}`, "free");
  const operator = await createLogin(service.dataDir, `operator@${domain}`, "pro");
  const role = ["--email", operator.email, "--role", "operator"];
  await runAdmin(service.dataDir, "account", "set-role", ...role);
  const api = new ApiClient(service.url, busy.key);
  const jobs: Record<string, Job> = {};
  for (const operation of typicalOperations) {
    const hook = `${host.url}/hook/${operation.id}/200?body=ok`;
    jobs[operation.id] = await runSample(api, operation, hook);
  }
  await makeSpecialJobs(api, host.url, jobs);
  const rejected = await api.postJson("/v1/image/resize", {
    input: `${host.url}/a.jpg`,
    width: -5,
  });
  await makeKeys(service.dataDir, busy.accountId);
  await makeConnections(api);
  await withDatabase(service.dataDir, (sql) => writeHistory(sql, busy.accountId));
  const share = randomBytes(16).toString("hex");
  const shared = Object.values(jobs).find(({ outputs }) => outputs[0]?.width !== undefined);
  await withDatabase(service.dataDir, (sql) =>
    writeShare(sql, { accountId: busy.accountId, jobId: shared?.id ?? "", token: share }),
  );
  const rejectedRequest = rejected.headers.get("x-request-id") ?? "";
  return {
    busy,
    fresh,
    spare,
    operator,
    jobs,
    deliveries: await readDeliveries(api),
    endpoint: await createEndpoint(api),
    rejectedRequest,
    share,
  };
}

async function createLogin(dataDir: string, email: string, plan: PlanName) {
  const password = randomBytes(12).toString("hex");
  const { id, key } = await insertAccount({ email, plan, password }, dataDir);
  return { email, password, accountId: id, key };
}

async function runSample(api: ApiClient, { id, sample }: Operation, hook: string): Promise<Job> {
  const { inputs, files, params } = sample;
  const parts: Record<string, Awaited<ReturnType<typeof readInput>>> = {};
  for (const [part, file] of Object.entries(files)) parts[part] = await readInput(`inputs/${file}`);
  const texts = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const file = await Promise.all(inputs.map((name) => readInput(`inputs/${name}`)));
  return api.run(id, file, {
    ...Object.fromEntries(texts),
    ...parts,
    metadata: JSON.stringify({ order: "2026-1107", customer: "Lakehouse" }),
    webhook_url: hook,
  });
}

async function readInput(file: string) {
  return {
    bytes: await readFile(join(samplesFolder, file)),
    filename: file.split("/").at(-1) ?? "",
  };
}

/** Creates a failed, a cancelled, a running and a chained job, and webhooks that fail. */
async function makeSpecialJobs(api: ApiClient, hostUrl: string, jobs: Record<string, Job>) {
  const photo = await readInput("inputs/photo.jpg");
  const broken = { bytes: photo.bytes.subarray(0, 900), filename: "upload-final.jpg" };
  const rejectedHook = `${hostUrl}/hook/rejected/410?body=${encodeURIComponent("This endpoint has moved.")}`;
  jobs.failed = await api.run("image/sharpen", broken, { webhook_url: rejectedHook });
  const unavailableHook = `${hostUrl}/hook/unavailable/503?body=${encodeURIComponent("<h1>503 Service Unavailable</h1>")}`;
  jobs.chain = await api.finish(
    await api.postForm("/v1/jobs", {
      file: photo,
      operations: JSON.stringify([
        { type: "image/sharpen", params: { sigma: 1.2 } },
        { type: "image/watermark-text", params: { text: "Lakehouse" } },
      ]),
      webhook_url: unavailableHook,
    }),
  );
  const hanging = { input: `${hostUrl}/hang/premiere.mp4` };
  const cancelled = await api.postJson("/v1/video/preview-clip", hanging);
  const { id } = (await cancelled.json()) as Job;
  const response = await api.request(`/v1/jobs/${id}/cancel`, { method: "POST" });
  jobs.cancelled = (await response.json()) as Job;
  const running = await api.postJson("/v1/pipeline/file-inspect", { input: `${hostUrl}/drip` });
  jobs.processing = (await running.json()) as Job;
  await api.postJson("/v1/webhooks/test", { url: `${hostUrl}/hook/test/200` });
}

async function makeKeys(dataDir: string, accountId: string): Promise<void> {
  for (const name of ["Build server", "Newsroom, staging", "Laptop of last summer"]) {
    const { keyId } = await insertKey(accountId, name, dataDir);
    if (name.startsWith("Laptop")) await runAdmin(dataDir, "key", "revoke", "--id", keyId);
  }
}

/** Creates connections: one that was tested, and fails because nothing listens there, and one that was not. */
async function makeConnections(api: ApiClient): Promise<void> {
  const dav = { url: `http://127.0.0.1:${await freePort()}/dav`, username: "mira", password: "a" };
  const s3 = { bucket: "videos", access_key_id: "AKIAIOSFODNN7EXAMPLE", secret_access_key: "a" };
  const webdav = { type: "webdav", name: "Nextcloud of the newsroom", ...dav };
  const created = await api.postJson("/v1/connections", webdav);
  await api.postJson("/v1/connections", { type: "s3", name: "Raw videos", prefix: "in", ...s3 });
  const { id } = (await created.json()) as { id: string };
  await api.request(`/v1/connections/${id}/test`, { method: "POST" });
}

async function withDatabase(dataDir: string, work: (sql: postgres.Sql) => Promise<void>) {
  const sql = postgres((await findRunningDatabase(dataDir)) ?? "", { max: 1 });
  await work(sql).finally(() => sql.end());
}

async function writeShare(
  sql: postgres.Sql,
  { accountId, jobId, token }: Readonly<Record<"accountId" | "jobId" | "token", string>>,
): Promise<void> {
  await sql`
    insert into shares (id, account_id, job_id, token, title, with_input, expires_at)
    values (${`shr_${token}`}, ${accountId}, ${jobId}, ${token}, 'Lakehouse', true, now() + interval '1 day')`;
}

/** Writes the usage of the last four weeks for the charts, without jobs. */
async function writeHistory(sql: postgres.Sql, accountId: string): Promise<void> {
  await sql`update accounts set created_at = now() - interval '90 days' where id = ${accountId}`;
  await sql`update api_keys set environment = 'development', expires_at = now() + interval '40 days'
    where account_id = ${accountId} and name like 'Newsroom%'`;
  await sql`
    insert into usage_days (account_id, day, operation, jobs, completed, failed, cancelled, used_bytes)
    select ${accountId}, current_date - i, 'image/sharpen', n, n - n / 17, n / 17, 0, n * 7300000::bigint
    from (select i, (40 + 35 * sin(i / 1.9) + 23 * cos(i * 2.3))::int * (case when extract(isodow from current_date - i) > 5 then 1 else 3 end) as n
      from generate_series(1, 29) as i) as days`;
  await sql`
    update usage set used_bytes = used_bytes + sums.bytes, total_jobs = total_jobs + sums.jobs
    from (select coalesce(sum(used_bytes), 0) as bytes, coalesce(sum(jobs), 0) as jobs from usage_days
      where account_id = ${accountId} and day >= date_trunc('month', now()) and day < current_date) as sums
    where account_id = ${accountId} and period = to_char(now(), 'YYYY-MM')`;
}

/** An endpoint that has got a test event. */
async function createEndpoint(api: ApiClient): Promise<string> {
  const response = await api.postJson("/v1/webhooks/endpoints", {
    url: "https://example.com/hooks/mediamill",
    events: ["job.completed", "job.failed"],
    description: "Orders",
  });
  return ((await response.json()) as { readonly id: string }).id;
}

/** Waits until every delivery was attempted; resolves with those of the failed job. */
async function readDeliveries(api: ApiClient) {
  let deliveries: { id: string; type: string; attempts: unknown[] }[] = [];
  await until(async () => {
    deliveries = (await (await api.request("/v1/webhooks/deliveries?limit=100")).json()).deliveries;
    return deliveries.every(({ attempts }) => attempts.length > 0);
  }, 60_000);
  return deliveries.filter(({ type }) => type === "job.failed");
}
