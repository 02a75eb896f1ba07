import { channels } from "#lib/db/channels.ts";
import { db } from "#lib/db/client.ts";
import { listen } from "#lib/db/listen.ts";
import { type ClaimedPreview, claimPreview, finishPreview } from "#lib/db/queries/live/previews.ts";
import type { LiveResult, LiveTask } from "#lib/db/schema/live-task.ts";
import { runForTenant } from "#lib/engines/warm/tenant.ts";
import { runAsPreview } from "#lib/engines/worker/pool.ts";
import { internalMessage, JobError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { tenantOf } from "../run/tenant-of.ts";
import { drawCard } from "./card.ts";
import { measureOutput } from "./measure.ts";
import { previewOperation } from "./preview.ts";
import { Proxies } from "./proxies.ts";

/** A preview that takes longer has no use; its engine is stopped. */
const timeoutMs = { preview: 8000, card: 8000, measure: 60_000 } as const;

/**
 * A preview that was cancelled is stopped only after this time: to end a warm engine and to start another one costs
 * more than to let a quick one finish.
 */
const letFinishMs = 250;

/** How long a runner whose engines are all busy waits before it looks again. */
const busyMs = 25;

export interface LiveServer {
  stop(): Promise<void>;
}

/**
 * Runs live previews, one at a time, until stopped. A preview starts only while an engine is free, and has a worker of
 * its own: a job never waits for one.
 *
 * @param hasFreeEngine whether a job that comes now would get an engine at once
 */
export async function serveLivePreviews(hasFreeEngine: () => boolean): Promise<LiveServer> {
  const proxies = new Proxies();
  const running = new Map<string, { startedAt: number; controller: AbortController }>();
  let isStopped = false;
  let isWanted = false;
  let loop: Promise<void> | undefined;

  function wake(): void {
    isWanted = true;
    if (isStopped || loop) return;
    loop = serve()
      .catch((err) => log.warn({ err }, "live preview not taken"))
      .finally(() => {
        loop = undefined;
        if (isWanted) wake();
      });
  }

  async function serve(): Promise<void> {
    while (!isStopped && isWanted) {
      if (!hasFreeEngine()) {
        await new Promise((resolve) => setTimeout(resolve, busyMs));
        continue;
      }
      isWanted = false;
      const claimed = await claimPreview(db());
      if (!claimed) return;
      isWanted = true;
      await run(claimed);
    }
  }

  async function run({ id, task }: ClaimedPreview): Promise<void> {
    const controller = new AbortController();
    running.set(id, { startedAt: performance.now(), controller });
    const timer = setTimeout(() => controller.abort(), timeoutMs[task.kind]);
    try {
      const result = await answer(task, proxies, controller.signal);
      if (!controller.signal.aborted || result.kind !== "failed") {
        await finishPreview(db(), id, result);
        return;
      }
      await finishPreview(db(), id, tooSlow);
    } catch (err) {
      log.warn({ err, preview: id }, "live preview failed");
    } finally {
      clearTimeout(timer);
      running.delete(id);
    }
  }

  function cancel(id: string): void {
    const one = running.get(id);
    if (!one) return;
    const rest = letFinishMs - (performance.now() - one.startedAt);
    setTimeout(() => running.get(id) === one && one.controller.abort(), Math.max(0, rest));
  }

  const stops = await Promise.all([
    listen(channels.liveRequested, wake, wake),
    listen(channels.liveCancelled, cancel),
  ]);
  return {
    async stop() {
      isStopped = true;
      for (const { controller } of running.values()) controller.abort();
      await loop;
      proxies.close();
      for (const stop of stops) await stop();
    },
  };
}

const tooSlow: LiveResult = {
  kind: "failed",
  code: "timed_out",
  message: "This takes too long for a live preview. Run it to see the result.",
};

async function runTask(task: LiveTask, proxies: Proxies, signal: AbortSignal): Promise<LiveResult> {
  switch (task.kind) {
    case "preview":
      return { kind: "shown", ...(await previewOperation(task, proxies, signal)) };
    case "card":
      return { kind: "shown", ...(await drawCard(task, signal)) };
    case "measure":
      return { kind: "measured", ...(await measureOutput(task, signal)) };
  }
}

/** The picture, or why the file or the parameters are rejected. */
async function answer(task: LiveTask, proxies: Proxies, signal: AbortSignal): Promise<LiveResult> {
  const tenant = tenantOf({ id: task.accountId, plan: task.plan, accountId: task.accountId });
  try {
    return await runForTenant(tenant, () => runAsPreview(() => runTask(task, proxies, signal)));
  } catch (error) {
    if (error instanceof JobError && error.fault === "caller") {
      return { kind: "failed", code: error.code, message: error.message };
    }
    if (!signal.aborted) log.warn({ err: error, task: task.kind }, "live preview failed");
    return { kind: "failed", code: "internal", message: internalMessage };
  }
}
