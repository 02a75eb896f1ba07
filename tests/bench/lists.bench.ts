import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { disconnect } from "#lib/db/client.ts";
import { env } from "#lib/env.ts";
import { createId } from "#lib/ids.ts";
import { findRunningDatabase } from "#lib/supervisor/database/running-database.ts";
import { insertManyJobs, jobAt } from "#tests/service/database/many-jobs.ts";
import { runAdmin } from "#tests/service/run-admin.ts";
import { startStack } from "#tests/service/stack.ts";
import { LoadGenerator } from "./load/load.ts";
import { signIn } from "./load/sign-in.ts";
import { type BenchRow, makeRow, type Target } from "./report/rows.ts";

const many = 1_000_000;
const rounds = 300;
/** The number of rounds for requests that read all jobs. */
const slowRounds = 5;

const readTarget: Target = { max: 15, of: "p99" };
const pageTarget: Target = { max: 60 };

/** Reads of an account with a million jobs: lists with filters, a job, the usage, and the dashboard's pages. */
export default {
  title: "reads with a million jobs",
  async run(): Promise<BenchRow[]> {
    const stack = await startStack();
    const generator = await LoadGenerator.start();
    // The environment was read before the service had a database.
    Object.assign(env, { DATABASE_URL: await findRunningDatabase(stack.dataDir) });
    const password = randomBytes(12).toString("hex");
    const email = "many@example.com";
    const options = ["--email", email, "--plan", "enterprise", "--password", password];
    const created = await runAdmin(stack.dataDir, "account", "create", ...options);
    const account = { id: created.account_id ?? "", key: created.api_key ?? "" };
    try {
      const apiKeyId = createId("key");
      await insertManyJobs(account.id, many, { apiKeyId });
      const last = await jobAt(account.id, many - 1000);
      const middle = await jobAt(account.id, many / 2);
      const at = encodeURIComponent(last.createdAt.toISOString());
      const month = lastDays(30);
      const reads: readonly [name: string, path: string, target?: Target][] = [
        ["first page", "/v1/jobs", readTarget],
        ["page after job 999,000", `/v1/jobs?starting_after=${last.id}`, readTarget],
        ["page before job 999,000", `/v1/jobs?ending_before=${last.id}`, readTarget],
        ["page at offset 10,000", "/v1/jobs?offset=10000", readTarget],
        ["status (92 %)", "/v1/jobs?status=completed", readTarget],
        ["status (none)", "/v1/jobs?status=pending", readTarget],
        ["operation (0.5 %)", "/v1/jobs?operation=audio/convert", readTarget],
        ["created before job 999,000", `/v1/jobs?created_before=${at}`, readTarget],
        ["created after job 999,000", `/v1/jobs?created_after=${at}`, readTarget],
        ["error code (5 %)", "/v1/jobs?error_code=corrupt", readTarget],
        ["API key (all)", `/v1/jobs?key=${apiKeyId}`, readTarget],
        ["API key (none)", `/v1/jobs?key=${createId("key")}`, readTarget],
        ["file name (all)", "/v1/jobs?filename=PHOTO", readTarget],
        ["job", `/v1/jobs/${middle.id}`, readTarget],
        ["usage", "/v1/usage", readTarget],
        ["usage by operation", `/v1/usage?group_by=operation&${month}`, pageTarget],
        ["usage by day", `/v1/usage?group_by=day&${month}`, pageTarget],
      ];
      const scans: typeof reads = [
        ["page at offset 999,000", `/v1/jobs?offset=${many - 1000}`],
        ["two filters without a match", "/v1/jobs?status=cancelled&error_code=corrupt"],
        ["file name (one)", "/v1/jobs?filename=photo-500000.jpg"],
        ["metadata (half)", "/v1/jobs?metadata[parity]=odd"],
        ["metadata (one)", "/v1/jobs?metadata[number]=500000"],
      ];
      const pages: typeof reads = [
        ["dashboard: overview", "/dashboard", pageTarget],
        ["dashboard: jobs", "/dashboard/jobs", pageTarget],
        ["dashboard: failed jobs", "/dashboard/jobs?status=failed", pageTarget],
        ["dashboard: job", `/dashboard/jobs/${middle.id}`, pageTarget],
        ["dashboard: usage", "/dashboard/usage", pageTarget],
        ["dashboard: keys", "/dashboard/keys", pageTarget],
        ["dashboard: webhooks", "/dashboard/webhooks", pageTarget],
      ];
      // The inserts have left the server with a checkpoint and a vacuum to do.
      await wait(10_000);
      const cookie = await signIn(stack.url, { email, password });
      return [
        ...(await measureAll(reads, { "x-api-key": account.key }, rounds)),
        ...(await measureAll(scans, { "x-api-key": account.key }, slowRounds)),
        ...(await measureAll(pages, { cookie }, rounds / 5)),
      ];
    } finally {
      await generator.stop();
      await disconnect();
      await stack.stop();
    }

    async function measureAll(
      requests: readonly [name: string, path: string, target?: Target][],
      headers: Record<string, string>,
      count: number,
    ): Promise<BenchRow[]> {
      const rows = [];
      for (const [name, path, target] of requests) {
        const plan = { url: `${stack.url}${path}`, headers, status: 200, clients: 1 };
        await generator.send({ ...plan, requests: Math.min(20, count) });
        const { latenciesMs } = await generator.send({ ...plan, requests: count });
        rows.push(makeRow(name, "service", "ms", latenciesMs, target ? { target } : {}));
      }
      return rows;
    }
  },
};

/** The last `count` days, ending today, as a query. */
function lastDays(count: number): string {
  const dayMs = 86_400_000;
  const end = Math.ceil(Date.now() / dayMs) * dayMs;
  const [after, before] = [end - count * dayMs, end].map((time) => new Date(time).toISOString());
  return `created_after=${after}&created_before=${before}`;
}
