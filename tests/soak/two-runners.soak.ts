import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";
import { FaultPlan } from "#tests/faults/plan.ts";
import { h264, makeVideo, picture, tone } from "#tests/samples/videos.ts";
import { RunnerProcess, SupervisedRunner } from "#tests/service/runner-process.ts";

/**
 * Two media runners on one database, with the times of production: they share 500 jobs, one goes on
 * with the film of the other that was killed, and a job that kills whoever takes it is set aside.
 */

const folder = mkdtempSync(join(tmpdir(), "mediamill-soak-"));
const database = await startDatabase(folder);
// Before anything is loaded that reads it.
Object.assign(process.env, {
  DATABASE_URL: database.url,
  DATA_DIR: folder,
  SECRET: "a secret of the soak alone",
  LOG_LEVEL: "fatal",
});
const { migrate } = await import("#lib/supervisor/migrate.ts");
await migrate(database.url);
const { db, disconnect } = await import("#lib/db/client.ts");
const { readUsage } = await import("#lib/db/queries/usage/usage.ts");
const { periodOf } = await import("#lib/quotas/period.ts");
const { acceptFile, acceptJob, eventually, makeAccount } = await import("#tests/service/jobs.ts");

/** Seconds until a dead runner's job is picked up, at most. */
const pickUpSeconds = 30;
const plan = new FaultPlan();
const say = (text: string) => process.stdout.write(`${text}\n`);

function requireThat(holds: boolean, what: string): void {
  if (!holds) throw new Error(`not so: ${what}`);
}

async function share500(): Promise<void> {
  const account = await makeAccount();
  const ids: string[] = [];
  while (ids.length < 500) {
    const some = await Promise.all(Array.from({ length: 20 }, () => acceptJob(account)));
    ids.push(...some.map(({ id }) => id));
  }
  const runners = await Promise.all([RunnerProcess.start({}), RunnerProcess.start({})]);
  const startedAt = Date.now();
  for (const id of ids) {
    const job = await eventually(id, undefined, 600_000);
    requireThat(job.status === "completed" && job.attempts === 1, `${id} was completed at once`);
  }
  const began = runners.map((runner) => runner.started);
  requireThat(
    began.every((some) => some.length > 0),
    "both runners worked",
  );
  requireThat(
    new Set(began.flat()).size === 500 && began.flat().length === 500,
    "none began twice",
  );
  const usage = await readUsage(db(), account.id, periodOf(new Date()));
  requireThat(usage.usedBytes === 4500 && usage.totalJobs === 500, "all were counted once");
  const seconds = (Date.now() - startedAt) / 1000;
  say(`500 jobs: ${began.map((some) => some.length).join(" and ")} in ${seconds.toFixed(1)} s`);
  await Promise.all(runners.map((runner) => runner.stop()));
}

const film = () => {
  const minute = [...picture("size=1280x720:rate=30:duration=60"), ...tone(60)];
  return makeVideo("mp4", ...minute, ...h264, "-c:a", "aac");
};

const acceptFilm = async () =>
  acceptFile(await makeAccount(), "video/framerate", { fps: 24 }, film());

async function outliveARunner(): Promise<void> {
  const runners = await Promise.all([RunnerProcess.start({}), RunnerProcess.start({})]);
  const undisturbed = await acceptFilm();
  const { startedAt, completedAt } = await eventually(undisturbed.id, undefined, 1_200_000);
  const lengthSeconds = (Number(completedAt) - Number(startedAt)) / 1000;
  const { id } = await acceptFilm();
  await eventually(id, (job) => job.progress > 40, 1_200_000);
  const killedAt = Date.now();
  await runners.find((runner) => runner.started.includes(id))?.kill();
  const job = await eventually(id, undefined, 1_200_000);
  const tookSeconds = (Date.now() - killedAt) / 1000;
  requireThat(
    job.status === "completed" && job.runnerDeaths === 1,
    "the other runner completed it",
  );
  const allowed = lengthSeconds + pickUpSeconds + 5;
  say(
    `a film of a minute takes ${lengthSeconds.toFixed(1)} s; after a kill amid it, ${tookSeconds.toFixed(1)} s`,
  );
  requireThat(
    tookSeconds <= allowed,
    `it was completed within ${allowed.toFixed(1)} s of the kill`,
  );
  await Promise.all(runners.map((runner) => runner.stop()));
}

/** With short times, and a fault point that kills whoever begins with the file. */
async function setAsidePoison(): Promise<void> {
  const poison = await acceptFilm();
  const other = await acceptJob(await makeAccount());
  plan.arm("in-engine", { act: "kill", subject: poison.id, always: true });
  const runners = [1, 2].map(() => new SupervisedRunner(plan.variables));
  const end = await eventually(poison.id, undefined, 600_000);
  requireThat(
    end.errorCode === "set_aside" && end.runnerDeaths === 10,
    "it was set aside after ten",
  );
  const { status } = await eventually(other.id, undefined, 600_000);
  requireThat(status === "completed", "another job was completed");
  say("a job that killed ten runners was set aside");
  await Promise.all(runners.map((runner) => runner.stop()));
}

try {
  await share500();
  await outliveARunner();
  await setAsidePoison();
} finally {
  plan.remove();
  await disconnect();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
