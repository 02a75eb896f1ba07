import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";
import { FaultPlan } from "#tests/faults/plan.ts";
import { h264, makeVideo, testPattern, tone } from "#tests/samples/videos.ts";
import { RunnerProcess, SupervisedRunner } from "#tests/service/runner-process.ts";

/**
 * Two media runners on one database, with production timings: they share 500 jobs, one takes over a video
 * job when the other is killed, and a job that kills every runner that claims it is set aside.
 */

const folder = mkdtempSync(join(tmpdir(), "mediamill-soak-"));
const database = await startDatabase(folder);
// Set before the import of modules that read it.
Object.assign(process.env, {
  DATABASE_URL: database.url,
  DATA_DIR: folder,
  SECRET: "a secret for this soak only",
  LOG_LEVEL: "fatal",
});
const { migrateDatabase } = await import("#lib/db/migrate.ts");
await migrateDatabase(database.url);
const { db, disconnect } = await import("#lib/db/client.ts");
const { readUsage } = await import("#lib/db/queries/usage/usage.ts");
const { periodOf } = await import("#lib/quotas/period.ts");
const { acceptFile, acceptJob, waitForJobState, makeAccount } = await import(
  "#tests/service/jobs.ts"
);

/** Maximum time in seconds until another runner claims the job of a dead runner. */
const takeOverSeconds = 30;
const plan = new FaultPlan();
const print = (text: string) => process.stdout.write(`${text}\n`);

function requireThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(`not true: ${what}`);
}

async function share500Jobs(): Promise<void> {
  const account = await makeAccount();
  const ids: string[] = [];
  while (ids.length < 500) {
    const some = await Promise.all(Array.from({ length: 20 }, () => acceptJob(account)));
    ids.push(...some.map(({ id }) => id));
  }
  const runners = await Promise.all([RunnerProcess.start({}), RunnerProcess.start({})]);
  const startedAt = Date.now();
  for (const id of ids) {
    const job = await waitForJobState(id, undefined, 600_000);
    requireThat(
      job.status === "completed" && job.attempts === 1,
      `${id} was completed at the first attempt`,
    );
  }
  const startedJobs = runners.map((runner) => runner.started);
  requireThat(
    startedJobs.every((ids) => ids.length > 0),
    "both runners worked",
  );
  requireThat(
    new Set(startedJobs.flat()).size === 500 && startedJobs.flat().length === 500,
    "no job was started twice",
  );
  const usage = await readUsage(db(), account.id, periodOf(new Date()));
  requireThat(
    usage.usedBytes === 4500 && usage.totalJobs === 500,
    "the usage of each job was counted once",
  );
  const seconds = (Date.now() - startedAt) / 1000;
  print(
    `500 jobs: ${startedJobs.map((ids) => ids.length).join(" and ")} in ${seconds.toFixed(1)} s`,
  );
  await Promise.all(runners.map((runner) => runner.stop()));
}

const makeMinute = () => {
  const minute = [...testPattern("size=1280x720:rate=30:duration=60"), ...tone(60)];
  return makeVideo("mp4", ...minute, ...h264, "-c:a", "aac");
};

const acceptVideo = async () =>
  acceptFile(await makeAccount(), "video/framerate", { fps: 24 }, makeMinute());

async function takeOverFromKilledRunner(): Promise<void> {
  const runners = await Promise.all([RunnerProcess.start({}), RunnerProcess.start({})]);
  const undisturbed = await acceptVideo();
  const { startedAt, completedAt } = await waitForJobState(undisturbed.id, undefined, 1_200_000);
  const undisturbedSeconds = (Number(completedAt) - Number(startedAt)) / 1000;
  const { id } = await acceptVideo();
  await waitForJobState(id, (job) => job.progress > 40, 1_200_000);
  const killedAt = Date.now();
  await runners.find((runner) => runner.started.includes(id))?.kill();
  const job = await waitForJobState(id, undefined, 1_200_000);
  const tookSeconds = (Date.now() - killedAt) / 1000;
  requireThat(
    job.status === "completed" && job.runnerDeaths === 1,
    "the other runner completed it",
  );
  const allowedSeconds = undisturbedSeconds + takeOverSeconds + 5;
  print(
    `a video of a minute takes ${undisturbedSeconds.toFixed(1)} s, and ${tookSeconds.toFixed(1)} s after its runner was killed`,
  );
  requireThat(
    tookSeconds <= allowedSeconds,
    `it was completed within ${allowedSeconds.toFixed(1)} s of the kill`,
  );
  await Promise.all(runners.map((runner) => runner.stop()));
}

/** Runs with short delays, and with a fault point that kills every runner that starts the job. */
async function setAsidePoisonJob(): Promise<void> {
  const poison = await acceptVideo();
  const other = await acceptJob(await makeAccount());
  plan.arm("in-engine", { action: "kill", subject: poison.id, always: true });
  const runners = [1, 2].map(() => new SupervisedRunner(plan.variables));
  const end = await waitForJobState(poison.id, undefined, 600_000);
  requireThat(
    end.errorCode === "set_aside" && end.runnerDeaths === 10,
    "the job was set aside after ten runners",
  );
  const { status } = await waitForJobState(other.id, undefined, 600_000);
  requireThat(status === "completed", "another job was completed");
  print("a job that killed ten runners was set aside");
  await Promise.all(runners.map((runner) => runner.stop()));
}

try {
  await share500Jobs();
  await takeOverFromKilledRunner();
  await setAsidePoisonJob();
} finally {
  plan.remove();
  await disconnect();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
