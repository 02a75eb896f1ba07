import postgres from "postgres";
import sharp from "sharp";
import { findRunningDatabase } from "#lib/supervisor/database/running-database.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { FormBrowser } from "#tests/service/http/form-browser.ts";
import { runAdmin } from "#tests/service/run-admin.ts";
import { startStack } from "#tests/service/stack.ts";

/**
 * 200 jobs of visitors without an account at once. The jobs of an account that arrive after them must start
 * within two job lengths.
 */

const addresses = 10;
const visitorsOfAddress = 4;
const runsOfVisitor = 5;
const accountJobs = 5;

const stack = await startStack({ TRUST_PROXY: "1" });
const sql = postgres((await findRunningDatabase(stack.dataDir)) ?? "", { max: 1 });
try {
  const photo = await makePhoto();
  const options = ["--email", "soak@example.com", "--plan", "free"];
  const { api_key: key = "" } = await runAdmin(stack.dataDir, "account", "create", ...options);
  const api = new ApiClient(stack.url, key);
  const alone = await runJob(api, photo);

  await Promise.all(
    Array.from({ length: addresses * visitorsOfAddress }, (_, index) =>
      runVisitor(`203.0.113.${1 + (index % addresses)}`, photo),
    ),
  );
  const [before] = await sql<{ waiting: number }[]>`
    select count(*)::int as waiting from jobs where plan = 'visitor' and status = 'pending'`;
  const waits: number[] = [];
  while (waits.length < accountJobs) waits.push((await runJob(api, photo)).waitMs);
  const [after] = await sql<{ waiting: number; lengthMs: number }[]>`
    select count(*) filter (where status = 'pending')::int as waiting,
      1000 * percentile_cont(0.5) within group (
        order by extract(epoch from completed_at - started_at)
      ) filter (where status = 'completed') as "lengthMs"
    from jobs where plan = 'visitor'`;
  const slowest = Math.max(...waits);
  const lengthMs = Math.max(alone.lengthMs, Number(after?.lengthMs ?? 0));
  process.stdout.write(
    `${before?.waiting} jobs of visitors were waiting, ${after?.waiting} at the end; ` +
      `jobs of an account started after at most ${slowest} ms, of a job's ${Math.round(lengthMs)} ms\n`,
  );
  if ((after?.waiting ?? 0) === 0) throw new Error("the visitors' jobs did not wait");
  if (slowest > 2 * lengthMs) throw new Error(`a job of an account waited ${slowest} ms`);
} finally {
  await sql.end();
  await stack.stop();
}

/** Noise of 6 megapixels: as large as visitors may send, and slow to compress. */
async function makePhoto(): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const create = { width: 3000, height: 2000, channels: 3, background: "gray", noise } as const;
  return sharp({ create }).jpeg({ quality: 80 }).toBuffer();
}

async function runVisitor(address: string, photo: Buffer): Promise<void> {
  const browser = new FormBrowser(stack.url, { headers: { "x-forwarded-for": address } });
  for (let run = 0; run < runsOfVisitor; run++) {
    const body = new FormData();
    body.append("file", new Blob([new Uint8Array(photo)]), "photo.jpg");
    const response = await browser.send("/try/run/image/sharpen", { method: "POST", body });
    if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
  }
}

/** Runs a job of the account; how long it waited, and how long it took. */
async function runJob(api: ApiClient, photo: Buffer) {
  const job = await api.run("image/sharpen", { bytes: photo, filename: "photo.jpg" });
  const [created, started, completed] = [job.created_at, job.started_at, job.completed_at].map(
    (time) => Date.parse(time ?? ""),
  );
  if (created === undefined || started === undefined || completed === undefined) {
    throw new Error(JSON.stringify(job));
  }
  return { waitMs: started - created, lengthMs: completed - started };
}
