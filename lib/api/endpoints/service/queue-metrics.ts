import { Gauge, Registry } from "prom-client";
import { db } from "#lib/db/client.ts";
import {
  countDueWebhooks,
  countRunningJobs,
  countWaitingJobs,
  countWaitingOperations,
} from "#lib/db/queries/jobs/queue-state.ts";
import { jobStages } from "#lib/db/schema/job-states.ts";
import { engineGroups, groupFor } from "#lib/engine-groups.ts";
import { countSlots } from "#lib/jobs/runner/dead-runners.ts";
import { liveRunners } from "#lib/jobs/runner/heartbeat.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import { allPlanNames } from "#lib/plans.ts";
import type { MetricsFormat } from "./metrics-format.ts";

type MakeGauge = <Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
) => Gauge<Label>;

async function setSlots(gauge: MakeGauge): Promise<void> {
  const slots = gauge(
    "slots",
    "Runs that live runners accept from Inngest at once, by kind; 0 under the embedded queue.",
    ["kind"],
  );
  const held = gauge(
    "held_slots",
    "Slots that Inngest still keeps for runners that vanished, by kind.",
    ["kind"],
  );
  for (const kind of [...jobStages, "delivery"] as const) {
    const { live, heldByDead } = await countSlots(kind);
    slots.set({ kind }, live);
    held.set({ kind }, heldByDead);
  }
}

/**
 * Sets the number of waiting jobs for each value of `MEDIA_ENGINES`, which shows how many runners
 * of each are needed.
 */
async function setWaitingJobs(gauge: MakeGauge): Promise<void> {
  const waiting = gauge(
    "waiting_jobs",
    "Waiting jobs, by the value of MEDIA_ENGINES that runners need for them; any: each runner can run them.",
    ["engines"],
  );
  for (const engines of [...engineGroups, "any"] as const) waiting.set({ engines }, 0);
  for (const { operations, jobs } of await countWaitingOperations(db())) {
    const required = operations.flatMap((id) => findOperation(id)?.requires ?? []);
    waiting.inc({ engines: groupFor(required) }, jobs);
  }
}

/** The current state of the queue and the runners. */
export async function renderQueueMetrics(
  format: MetricsFormat = Registry.PROMETHEUS_CONTENT_TYPE,
): Promise<string> {
  const registry = new Registry<MetricsFormat>();
  registry.setContentType(format);
  const gauge: MakeGauge = (name, help, labelNames) =>
    new Gauge({ name: `mediamill_${name}`, help, labelNames, registers: [registry] });
  const depth = gauge("queue_jobs", "Waiting jobs, by plan and stage.", ["plan", "stage"]);
  const oldest = gauge(
    "queue_oldest_seconds",
    "How long the oldest waiting job has waited, by plan and stage.",
    ["plan", "stage"],
  );
  for (const plan of allPlanNames) {
    for (const stage of jobStages) {
      depth.set({ plan, stage }, 0);
      oldest.set({ plan, stage }, 0);
    }
  }
  for (const { plan, stage, jobs, oldestSeconds } of await countWaitingJobs(db())) {
    depth.set({ plan, stage }, jobs);
    oldest.set({ plan, stage }, oldestSeconds);
  }
  await setWaitingJobs(gauge);
  const running = gauge("running_jobs", "Running jobs, by stage.", ["stage"]);
  for (const [stage, jobs] of Object.entries(await countRunningJobs(db()))) {
    running.set({ stage }, jobs);
  }
  const due = await countDueWebhooks(db());
  gauge("webhooks_due", "Webhooks whose attempt is due.", []).set(due.webhooks);
  gauge("webhooks_oldest_seconds", "How long the oldest of them has been due.", []).set(
    due.oldestSeconds,
  );
  const alive = gauge("runners", "Live runners, by kind.", ["kind"]);
  for (const kind of ["media", "webhooks"] as const) {
    alive.set({ kind }, (await liveRunners(kind)).length);
  }
  await setSlots(gauge);
  return registry.metrics();
}
