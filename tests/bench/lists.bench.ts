import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount } from "#lib/auth/accounts.ts";
import { db, disconnect } from "#lib/db/client.ts";
import { migrateDatabase } from "#lib/db/migrate.ts";
import { countQuery, type JobFilter, type JobPage, listJobs } from "#lib/db/queries/jobs/lists.ts";
import { env } from "#lib/env.ts";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";
import { insertManyJobs, jobAt } from "#tests/service/many-jobs.ts";
import { printTable, writeResults } from "./measure.ts";

/** The lists of `GET /v1/jobs` in an account with a million jobs: time of a page with its total. */

const many = 1_000_000;
const rounds = 200;
/** For queries that read all jobs. */
const slowRounds = 10;

const folder = await mkdtemp(join(tmpdir(), "mediamill-bench-"));
const database = await startDatabase(folder);
await migrateDatabase(database.url);
// The environment was read before the database had a URL.
Object.assign(env, { DATABASE_URL: database.url });

try {
  const account = await createAccount({ email: "lists@example.com", plan: "enterprise" });
  if (!account) throw new Error("the account was not created");
  const startedAt = performance.now();
  await insertManyJobs(account.id, many);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${many} jobs inserted in ${seconds} s\n\n`);
  const deep = await jobAt(account.id, many - 1000);
  const limit = 20;
  const list = (filter: JobFilter, page: Partial<JobPage> = {}) =>
    listJobs(db(), account.id, filter, { limit, ...page });
  const cases: [string, () => Promise<unknown>, number?][] = [
    ["first page", () => list({})],
    ["page after job 999,000", () => list({}, { after: deep })],
    ["page before job 999,000", () => list({}, { before: deep })],
    ["page at offset 10,000", () => list({}, { offset: 10_000 })],
    ["page at offset 999,000", () => list({}, { offset: many - 1000 }), slowRounds],
    ["status completed (92 %)", () => list({ status: "completed" })],
    ["status pending (none)", () => list({ status: "pending" })],
    ["operation (0.5 %)", () => list({ operation: "audio/convert" })],
    ["created before job 999,000", () => list({ createdBefore: deep.createdAt })],
    ["created after job 999,000", () => list({ createdAfter: deep.createdAt })],
    ["error code (5 %)", () => list({ errorCode: "corrupt" })],
    ["API key (all)", () => list({ apiKeyId: "key_many" })],
    ["API key (none)", () => list({ apiKeyId: "key_none" })],
    [
      "status and error code without a match",
      () => list({ status: "cancelled", errorCode: "corrupt" }),
    ],
    ["count to 10,001", () => countQuery(db(), account.id, { createdBefore: new Date() })],
    ["file name (all)", () => list({ filename: "PHOTO" })],
    ["file name (one)", () => list({ filename: "photo-500000.jpg" }), slowRounds],
    ["metadata (half)", () => list({ metadata: { parity: "odd" } }), slowRounds],
    ["metadata (one)", () => list({ metadata: { number: "500000" } }), slowRounds],
  ];
  const rows = [];
  for (const [name, query, count = rounds] of cases) {
    rows.push({ name, rounds: count, ...(await measure(query, count)) });
  }
  printTable([
    ["list of a million jobs", "p50 ms", "p99 ms", "rounds"],
    ...rows.map(({ name, p50, p99, rounds }) => [name, ...[p50, p99, rounds].map(String)]),
  ]);
  writeResults("lists", rows);
} finally {
  await disconnect();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Percentiles of the time of `query` in milliseconds, after two runs that are not counted. */
async function measure(query: () => Promise<unknown>, count: number) {
  const times: number[] = [];
  for (let round = -2; round < count; round++) {
    const startedAt = performance.now();
    await query();
    if (round >= 0) times.push(performance.now() - startedAt);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) =>
    Math.round((times[Math.ceil(times.length * share) - 1] ?? 0) * 10) / 10;
  return { p50: at(0.5), p99: at(0.99) };
}
