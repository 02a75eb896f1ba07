import type { AnsweredCalls } from "#lib/calls/answer-calls.ts";
import { disconnect } from "#lib/db/client.ts";
import { describeSandbox } from "#lib/engines/sandbox/describe-sandbox.ts";
import {
  removeProcessFolder,
  removeStaleProcessFolders,
} from "#lib/engines/sandbox/folder/process-folder.ts";
import { env } from "#lib/env.ts";
import { reportMetrics, startReporting } from "#lib/jobs/metrics-report.ts";
import { type Heartbeat, startHeartbeat } from "#lib/jobs/runner/heartbeat.ts";
import type { Runner } from "#lib/jobs/runner/media-runner.ts";
import { readRunnerReadiness } from "#lib/jobs/runner/readiness.ts";
import { startWebhookRunner } from "#lib/jobs/runner/webhook-runner.ts";
import { log } from "#lib/log.ts";
import { usesInngest } from "#lib/queue/index.ts";
import { startHealthServer } from "#lib/server/health-server.ts";
import { readStorageState } from "#lib/storage/storage-state.ts";
import { runAsService } from "#lib/supervisor/services/service-process.ts";
import { flushSpans } from "#lib/tracing/spans.ts";
import { times } from "#times";

const kind = process.argv[2];
if (kind !== "media" && kind !== "webhooks") {
  process.stderr.write("Usage: npm run runner -- media | webhooks\n");
  process.exit(1);
}

if (env.OTEL_EXPORTER_OTLP_ENDPOINT) {
  const { startTracing } = await import("#lib/tracing/start.ts");
  startTracing(env, log);
}

/** The engines, and the catalogue with them. A webhook runner uses neither, and they are most of what a runner loads. */
const media =
  kind === "media"
    ? {
        ...(await import("#lib/engines/index.ts")),
        ...(await import("#lib/engines/sandbox/current-sandbox.ts")),
        ...(await import("#lib/jobs/runner/media-runner.ts")),
        ...(await import("#lib/calls/answer-calls.ts")),
        ...(await import("#lib/images/render/handle-calls.ts")),
        ...(await import("#lib/jobs/live/serve.ts")),
      }
    : undefined;

// Runners start again after each change of the sources, so a bad definition of an operation shows at once.
if (media && env.NODE_ENV === "development") {
  const { checkDefinitions } = await import("#lib/operations/check-definition.ts");
  const { operations } = await import("#lib/operations/catalogue/index.ts");
  checkDefinitions(operations);
}

/** Inngest's packages are large, so they are loaded only if Inngest is configured. */
async function startRunner(): Promise<Runner> {
  if (!media) {
    if (!usesInngest) return startWebhookRunner();
    return (await import("#inngest/webhook-runner.ts")).startInngestWebhookRunner();
  }
  const inngest = usesInngest ? await import("#inngest/media-runner.ts") : undefined;
  const engineSlots = media.createEngineSlots();
  const place = () => heartbeat?.place();
  const started = inngest
    ? await inngest.startInngestMediaRunner(media.leaseTimes, engines, engineSlots)
    : await media.startMediaRunner(media.leaseTimes, engines, engineSlots, place);
  // Not for jobs, so a runner that cannot serve them runs its jobs all the same.
  const live = await media.serveLivePreviews(() => engineSlots.hasFree);
  return {
    ...started,
    async stop() {
      await live.stop();
      await started.stop();
    },
  };
}

const engines = media && new media.EngineHealth(times.engineCheckMs);
let runner: Runner | undefined;
let isReady = false;
let isStopping = false;
await serveHealth();

/**
 * Serves the health of the runner for probes. They need no other runner and no web process to know
 * about this one.
 */
async function serveHealth(): Promise<void> {
  if (env.HEALTH_PORT === undefined || (kind !== "media" && kind !== "webhooks")) return;
  const { HEALTH_PORT: port, HOST: host } = env;
  const readReadiness = () => readRunnerReadiness({ kind, runner, isReady, isStopping });
  await startHealthServer({ port, host, readReadiness }).catch((error: Error) => {
    process.stderr.write(`HEALTH_PORT: port ${port} cannot be used: ${error.message}\n`);
    process.exit(1);
  });
}

// Before anything is created there: the id of this process may have belonged to a killed runner.
if (media) await removeStaleProcessFolders();
// The webhook runner uses no engine.
const sandbox = await media?.reportSandbox();
const isWeak = sandbox?.sandbox !== "full" || sandbox.isRoot || sandbox.limits.memory === "watch";
if (sandbox && isWeak) {
  log.warn({ ...sandbox }, describeSandbox(sandbox).join(" "));
}
let usedHardware: string | null | undefined;
let heartbeat: Heartbeat | undefined;
let calls: AnsweredCalls | undefined;

const service = runAsService({
  onStop: async () => {
    isStopping = true;
    engines?.stop();
    await Promise.all([calls?.stop(), runner?.stop()]);
    await heartbeat?.stop();
    await reportMetrics();
    await flushSpans();
    await media?.closeEngines();
    await removeProcessFolder();
    await disconnect();
  },
});

if (kind === "media") {
  // Logs a line if it does not respond. The runner waits for it, so this stops nothing.
  void readStorageState();
}
// A job waits until its engines have been checked, so this does not wait for the runner.
const checked = engines?.checkAll();
runner = await startRunner();
const { openRuns } = runner;
const isWorking = () => runner?.isWorking() === true;
heartbeat = await startHeartbeat(kind, () => ({
  ...sandbox,
  ...(calls ? { answersCalls: true } : {}),
  engines: engines?.versions ?? {},
  ...(usedHardware === undefined ? {} : { hardware: usedHardware }),
  ...(openRuns ? { queue: { ...openRuns.takeReport(), isConnected: isWorking() } } : {}),
}));
const { beat } = heartbeat;
calls = await media?.answerCalls(heartbeat.id, media.pictureCalls);
if (openRuns) openRuns.onChange = beat;
engines?.onChange(() => void beat());
startReporting();
service.ready();
isReady = true;
log.info({ ...sandbox }, `${kind} runner ready`);

if (media && engines) {
  await checked;
  usedHardware = (await media.hardware()) ?? null;
  await engines.warmUp();
  void engines.watch();
}
