import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDatabase } from "#lib/supervisor/postgres/server.ts";
import { startFileServer } from "#tests/servers/files.ts";
import { InngestServer } from "#tests/servers/inngest/server.ts";
import { RunnerProcess } from "#tests/service/runner-process.ts";

/**
 * Runners under Inngest are killed, with production timings on both sides: leases of jobs of 20 s, and
 * slots that Inngest keeps for two minutes. Measures how long interrupted work and the work of other
 * accounts wait.
 */

const folder = mkdtempSync(join(tmpdir(), "mediamill-soak-"));
const database = await startDatabase(folder);
const { server, port } = await startFileServer(folder);
/** Does not respond to the first request. */
const received: number[] = [];
const sockets = new Set<Socket>();
const receiver = createServer((_request, response) => {
  received.push(Date.now());
  if (received.length > 1) response.end();
});
receiver.on("connection", (socket: Socket) => sockets.add(socket));
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const receiverHost = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
// A real server, if there is one: with `INNGEST_BASE_URL` and its keys.
const inngest = process.env.INNGEST_BASE_URL ? undefined : await InngestServer.start();
if (inngest) inngest.executor.eventDelayMs = 150;
// Set before the import of modules that read it.
Object.assign(process.env, inngest?.variables, {
  DATABASE_URL: database.url,
  DATA_DIR: folder,
  SECRET: "a secret for this soak only",
  LOG_LEVEL: "fatal",
  FETCH_ALLOW: `127.0.0.1:${port},${receiverHost}`,
});
const { migrateDatabase } = await import("#lib/db/migrate.ts");
await migrateDatabase(database.url);
const { disconnect } = await import("#lib/db/client.ts");
const { cancelJob } = await import("#lib/jobs/actions/cancel.ts");
const { fetchConcurrency } = await import("#lib/jobs/runner/media-runner.ts");
const { createTestDelivery } = await import("#lib/webhooks/deliveries.ts");
const { acceptJob, makeAccount, waitForJobState } = await import("#tests/service/jobs.ts");
const { waitUntil } = await import("#tests/support/processes.ts");

const host = `http://127.0.0.1:${port}`;
const timeoutMs = 200_000;

/** A real server needs processor time of its own, and more time to free slots. */
const maxSeconds = inngest ? { otherStarts: 5, runAgain: 30 } : { otherStarts: 15, runAgain: 40 };

/** Prints a figure and fails if it is too large. */
function report(what: string, seconds: number, max: number): void {
  process.stdout.write(`${what}: ${seconds.toFixed(1)} s (at most ${max} s)\n`);
  if (seconds > max) throw new Error(`not true: ${what} within ${max} s`);
}

/** All slots that Inngest counts are those of the killed runner, although the other one is half free. */
async function killMediaRunner(): Promise<void> {
  const [target, survivor] = await Promise.all([RunnerProcess.start({}), RunnerProcess.start({})]);
  const account = await makeAccount();
  const slow: string[] = [];
  for (let count = 0; count < fetchConcurrency; count++) {
    slow.push((await acceptJob(account, `${host}/drip`)).id);
  }
  for (const id of slow) await waitForJobState(id, (job) => job.leaseToken !== null, timeoutMs);
  const interrupted = target.started;
  // Its heartbeat and its slots are known.
  await new Promise((resolve) => setTimeout(resolve, 6000));
  await target.kill();
  const killedAt = Date.now();
  const other = await acceptJob(await makeAccount(), `${host}/hook/other/200`);
  const { startedAt } = await waitForJobState(other.id, undefined, timeoutMs);
  report(
    "a job of another account starts",
    (Number(startedAt) - killedAt) / 1000,
    maxSeconds.otherStarts,
  );
  for (const id of interrupted) {
    const isAgain = (job: { leaseToken: string | null; runnerDeaths: number }) =>
      job.leaseToken !== null && job.runnerDeaths === 1;
    await waitForJobState(id, isAgain, timeoutMs);
  }
  const seconds = (Date.now() - killedAt) / 1000;
  report(`${interrupted.length} interrupted jobs run again`, seconds, maxSeconds.runAgain);
  for (const id of slow) await cancelJob(account.id, id);
  await survivor.stop();
}

async function killWebhookRunner(): Promise<void> {
  const media = await RunnerProcess.start({});
  const target = await RunnerProcess.start({}, "webhooks");
  await createTestDelivery((await makeAccount()).id, `http://${receiverHost}/`);
  await waitUntil(() => received.length === 1);
  await target.kill();
  const killedAt = Date.now();
  const next = await RunnerProcess.start({}, "webhooks");
  await waitUntil(() => received.length === 2, timeoutMs);
  const seconds = ((received[1] ?? 0) - killedAt) / 1000;
  report("an interrupted webhook attempt comes again", seconds, 35);
  await Promise.all([next.stop(), media.stop()]);
}

try {
  await killMediaRunner();
  await killWebhookRunner();
} finally {
  await disconnect();
  await inngest?.close();
  for (const socket of sockets) socket.destroy();
  receiver.close();
  server.close();
  server.closeAllConnections();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
