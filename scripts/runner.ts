import { disconnect } from "#lib/db/client.ts";
import type { RunnerKind } from "#lib/db/queries/jobs/runners.ts";
import { closeEngines, hardware, readEngineVersions, warmUpEngines } from "#lib/engines/index.ts";
import { reportSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import { describeSandbox } from "#lib/engines/sandbox/describe-sandbox.ts";
import {
  removeProcessFolder,
  removeStaleProcessFolders,
} from "#lib/engines/sandbox/process-folder.ts";
import { env } from "#lib/env.ts";
import { reportMetrics, startReporting } from "#lib/jobs/metrics-report.ts";
import { type Heartbeat, startHeartbeat } from "#lib/jobs/runner/heartbeat.ts";
import { leaseTimes, type Runner, startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { startWebhookRunner } from "#lib/jobs/runner/webhook-runner.ts";
import { log } from "#lib/log.ts";
import { usesInngest } from "#lib/queue/index.ts";
import { runAsService } from "#lib/supervisor/services/service-process.ts";
import { flushSpans } from "#lib/tracing/spans.ts";

const kind = process.argv[2];
if (kind !== "media" && kind !== "webhooks") {
  process.stderr.write("Usage: npm run runner -- media | webhooks\n");
  process.exit(1);
}

if (env.OTEL_EXPORTER_OTLP_ENDPOINT) {
  const { startTracing } = await import("#lib/tracing/start.ts");
  startTracing(env, log);
}

/** Inngest's packages are large, so they are loaded only if Inngest is configured. */
async function startRunner(which: RunnerKind): Promise<Runner> {
  if (!usesInngest) return which === "media" ? startMediaRunner() : startWebhookRunner();
  const inngest = await import("#inngest/runner.ts");
  return which === "media"
    ? inngest.startInngestMediaRunner(leaseTimes)
    : inngest.startInngestWebhookRunner();
}

// The webhook runner uses no engine.
const sandbox = kind === "media" ? await reportSandbox() : undefined;
const isWeak = sandbox?.sandbox !== "full" || sandbox.isRoot || sandbox.limits.memory === "watch";
if (sandbox && isWeak) {
  log.warn({ ...sandbox }, describeSandbox(sandbox).join(" "));
}
let engines: Record<string, string | null> = {};
let usedHardware: string | null | undefined;
let runner: Runner | undefined;
let heartbeat: Heartbeat | undefined;

const service = runAsService({
  onStop: async () => {
    await runner?.stop();
    await heartbeat?.stop();
    await reportMetrics();
    await flushSpans();
    await closeEngines();
    await removeProcessFolder();
    await disconnect();
  },
});

if (kind === "media") await removeStaleProcessFolders();
runner = await startRunner(kind);
const { openRuns } = runner;
const isWorking = () => runner?.isWorking() === true;
heartbeat = await startHeartbeat(kind, () => ({
  ...{ ...sandbox, engines },
  ...(usedHardware === undefined ? {} : { hardware: usedHardware }),
  ...(openRuns ? { queue: { ...openRuns.takeReport(), isConnected: isWorking() } } : {}),
}));
if (openRuns) openRuns.onChange = heartbeat.beat;
startReporting();
service.ready();
log.info({ ...sandbox }, `${kind} runner ready`);

if (kind === "media") {
  // After readiness: a job that arrives earlier starts its engine by itself.
  engines = await readEngineVersions();
  const missing = Object.keys(engines).filter((name) => engines[name] === null);
  if (missing.length > 0)
    log.warn({ missing }, "engines missing or not working, their operations return 503");
  usedHardware = (await hardware()) ?? null;
  await warmUpEngines();
}
