import { disconnect } from "#lib/db/client.ts";
import type { RunnerKind } from "#lib/db/queries/jobs/runners.ts";
import { closeEngines, inspectEngines, warmEngines } from "#lib/engines/index.ts";
import { reportSandbox } from "#lib/engines/sandbox/level.ts";
import {
  removeAbandonedFolders,
  removeProcessFolder,
} from "#lib/engines/sandbox/process-folder.ts";
import { describeSandbox } from "#lib/engines/sandbox/report.ts";
import { reportMetrics, startReporting } from "#lib/jobs/metrics-report.ts";
import { startHeartbeat } from "#lib/jobs/runner/heartbeat.ts";
import { leaseTimes, type Runner, startMediaRunner } from "#lib/jobs/runner/media-runner.ts";
import { startWebhookRunner } from "#lib/jobs/runner/webhook-runner.ts";
import { log } from "#lib/log.ts";
import { usesInngest } from "#lib/queue/index.ts";
import { startPart } from "#lib/supervisor/service-process.ts";

const kind = process.argv[2];
if (kind !== "media" && kind !== "webhooks") {
  process.stderr.write("Usage: npm run runner -- media | webhooks\n");
  process.exit(1);
}

/** Inngest's packages are loaded only where they are used: they are large. */
async function startRunner(which: RunnerKind): Promise<Runner> {
  if (!usesInngest) return which === "media" ? startMediaRunner() : startWebhookRunner();
  const inngest = await import("#inngest/runner.ts");
  return which === "media"
    ? inngest.startInngestMediaRunner(leaseTimes)
    : inngest.startInngestWebhookRunner();
}

// A webhook runner starts no engine.
const sandbox = kind === "media" ? await reportSandbox() : undefined;
if (sandbox && (sandbox.sandbox === "off" || sandbox.limits.memory === "watch")) {
  log.warn({ ...sandbox }, describeSandbox(sandbox).join(" "));
}
let engines: Record<string, string | null> = {};
let runner: Runner | undefined;
let stopHeartbeat: (() => Promise<void>) | undefined;

const part = startPart({
  onStop: async () => {
    await runner?.stop();
    await stopHeartbeat?.();
    await reportMetrics();
    await closeEngines();
    await removeProcessFolder();
    await disconnect();
  },
});

if (kind === "media") await removeAbandonedFolders();
runner = await startRunner(kind);
stopHeartbeat = await startHeartbeat(kind, () =>
  runner?.isWorking() ? { ...sandbox, engines } : null,
);
startReporting();
part.ready();
log.info({ ...sandbox }, `${kind} runner ready`);

if (kind === "media") {
  // After readiness: the first job may come at once, and starts what it needs by itself.
  engines = await inspectEngines();
  const missing = Object.keys(engines).filter((name) => engines[name] === null);
  if (missing.length > 0) log.warn({ missing }, "engines are missing; their operations answer 503");
  await warmEngines();
}
