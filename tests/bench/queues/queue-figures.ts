import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";
import { startFileServer } from "#tests/servers/files.ts";
import { InngestServer } from "#tests/servers/inngest/server.ts";
import { RunnerProcess } from "#tests/service/runner-process.ts";
import { computeMedian } from "../measure/measure.ts";

/**
 * Measures one queue with one media runner that has two slots, and prints the figures as JSON:
 * `node tests/bench/queues/queue-figures.ts embedded | inngest`. With `INNGEST_BASE_URL` and its keys, Inngest is
 * the server there. The queue is chosen when modules are loaded,
 * so each runs in a process of its own.
 */

export interface QueueFigures {
  /** Small jobs that two slots complete per second, in bursts of four accounts. */
  readonly jobsPerSecond: number;
  /** Small jobs per second, of 8 senders that each wait for the end of their job. */
  readonly sendersJobsPerSecond: number;
  /** The time from the acceptance of a job to its start on an idle runner, median. */
  readonly startMs: number;
  /** The longest of these starts among 200 jobs, each sent when the one before has ended. */
  readonly longestStartMs: number;
  /** The same for another account, while the backlog of one is at its limit. */
  readonly startNextToLimitMs: number;
  /**
   * The time from the acceptance of 4 jobs behind 20 of another account to the start of the first,
   * in lengths of a job.
   */
  readonly firstTurnInJobLengths: number;
  /** The same for the last of the 4, which share the two slots with the other account. */
  readonly lastTurnInJobLengths: number;
}

const inngestVariables = ["INNGEST_BASE_URL", "INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"];
const folder = mkdtempSync(join(tmpdir(), "mediamill-bench-"));
const database = await startDatabase(folder);
const { server, port } = await startFileServer(folder);
// Set before the import of modules that read it.
Object.assign(process.env, {
  DATABASE_URL: database.url,
  DATA_DIR: folder,
  SECRET: "a secret for this benchmark only",
  LOG_LEVEL: "fatal",
  MEDIA_CONCURRENCY: "2",
  FETCH_ALLOW: `127.0.0.1:${port}`,
});
const isEmbedded = process.argv[2] === "embedded";
if (isEmbedded) for (const name of inngestVariables) delete process.env[name];
// A real server, if there is one.
const needsServer = !isEmbedded && !process.env.INNGEST_BASE_URL;
const inngest = needsServer ? await InngestServer.start() : undefined;
if (inngest) {
  inngest.executor.eventDelayMs = 150;
  Object.assign(process.env, inngest.variables);
}
const { migrateDatabase } = await import("#lib/db/migrate.ts");
await migrateDatabase(database.url);
const { disconnect } = await import("#lib/db/client.ts");
const { h264, makeVideo, testPattern } = await import("#tests/samples/videos.ts");
const { cancelJob } = await import("#lib/jobs/actions/cancel.ts");
const { acceptFile, acceptJob, makeAccount, readJob, waitForJobState } = await import(
  "#tests/service/jobs.ts"
);

const host = `http://127.0.0.1:${port}`;
const timeoutMs = 300_000;
const waitForAll = (ids: readonly string[]) =>
  Promise.all(ids.map((id) => waitForJobState(id, undefined, timeoutMs)));

async function waitForStart(id: string): Promise<number> {
  const job = await waitForJobState(id, ({ startedAt }) => startedAt !== null, timeoutMs);
  return Number(job.startedAt) - Number(job.createdAt);
}

/** Jobs per second of 8 senders, each of which sends its next job when the last one has ended. */
async function measureSenders(jobs: number): Promise<number> {
  const account = await makeAccount();
  let left = 40; // warms up, not measured
  const sendAll = async () => {
    while (left-- > 0) await waitForAll([(await acceptJob(account)).id]);
  };
  const runSenders = () => Promise.all(Array.from({ length: 8 }, sendAll));
  await runSenders();
  left = jobs;
  const startedAt = performance.now();
  await runSenders();
  return (jobs * 1000) / (performance.now() - startedAt);
}

/** Jobs per second of one burst, from the 20th completion to the last. */
async function measureBurst(jobs: number): Promise<number> {
  const accounts = await Promise.all(Array.from({ length: 4 }, () => makeAccount()));
  const ids: string[] = [];
  while (ids.length < jobs) {
    const some = await Promise.all(accounts.map((account) => acceptJob(account)));
    ids.push(...some.map(({ id }) => id));
  }
  // One after the other: waiting must cost less than the work.
  const ends: number[] = [];
  for (const id of ids) {
    ends.push(Number((await waitForJobState(id, undefined, timeoutMs)).completedAt));
  }
  const measured = ends.toSorted((one, other) => one - other).slice(20);
  const seconds = ((measured.at(-1) ?? 0) - (measured[0] ?? 0)) / 1000;
  return (measured.length - 1) / seconds;
}

async function measureJobsPerSecond(): Promise<number> {
  await measureBurst(40); // warms up, not measured
  await new Promise((resolve) => setTimeout(resolve, 5000)); // until all engines are warm
  const rates: number[] = [];
  for (let burst = 0; burst < 3; burst++) rates.push(await measureBurst(120));
  return computeMedian(rates);
}

async function measureStart(): Promise<number> {
  const account = await makeAccount();
  await waitForAll([(await acceptJob(account)).id]); // warms up, not measured
  const times: number[] = [];
  for (let count = 0; count < 15; count++) {
    const { id } = await acceptJob(account);
    times.push(await waitForStart(id));
    await waitForAll([id]);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  return computeMedian(times);
}

async function measureLongestStart(): Promise<number> {
  const account = await makeAccount();
  let longest = 0;
  for (let count = 0; count < 200; count++) {
    const { id } = await acceptJob(account);
    longest = Math.max(longest, await waitForStart(id));
    await waitForAll([id]);
  }
  return longest;
}

async function measureNextToLimit(): Promise<number> {
  const limited = await makeAccount("free");
  const other = await makeAccount("free");
  const slow: string[] = [];
  for (let count = 0; count < 20; count++) {
    slow.push((await acceptJob(limited, `${host}/drip`)).id);
  }
  const { id } = await acceptJob(other, `${host}/hook/other/200`);
  const waited = await waitForStart(id);
  await waitForAll([id]);
  for (const one of slow) await cancelJob(limited.id, one);
  return waited;
}

type Turns = Pick<QueueFigures, "firstTurnInJobLengths" | "lastTurnInJobLengths">;

async function measureTurns(): Promise<Turns> {
  const path = makeVideo("mp4", ...testPattern("size=320x180:rate=30:duration=4"), ...h264);
  const first = await makeAccount("business");
  const second = await makeAccount("business");
  const accept = async (account: typeof first) =>
    (await acceptFile(account, "video/framerate", { fps: 24 }, path)).id;
  const before: string[] = [];
  for (let count = 0; count < 20; count++) before.push(await accept(first));
  const behind: string[] = [];
  for (let count = 0; count < 4; count++) behind.push(await accept(second));
  const starts: number[] = [];
  for (const id of behind) starts.push(await waitForStart(id));
  await waitForAll([...before, ...behind]);
  const lengths = await Promise.all(
    before.map(async (id) => {
      const { engineStartedAt, completedAt } = await readJob(id);
      return Number(completedAt) - Number(engineStartedAt);
    }),
  );
  const length = computeMedian(lengths);
  return {
    firstTurnInJobLengths: Math.min(...starts) / length,
    lastTurnInJobLengths: Math.max(...starts) / length,
  };
}

try {
  const runner = await RunnerProcess.start({});
  const figures: QueueFigures = {
    // First: after a burst, Inngest still has messages of jobs that have ended, which start others early.
    startMs: await measureStart(),
    longestStartMs: await measureLongestStart(),
    sendersJobsPerSecond: await measureSenders(200),
    jobsPerSecond: await measureJobsPerSecond(),
    startNextToLimitMs: await measureNextToLimit(),
    ...(await measureTurns()),
  };
  await runner.stop();
  process.stdout.write(`${JSON.stringify(figures)}\n`);
} finally {
  await disconnect();
  await inngest?.close();
  server.close();
  server.closeAllConnections();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
