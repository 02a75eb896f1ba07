import { db } from "#lib/db/client.ts";
import { addToTotals } from "#lib/db/queries/usage/metric-totals.ts";
import { log } from "#lib/log.ts";
import { readMetrics, samplesOf } from "#lib/metrics.ts";
import { stoppingSignal } from "#lib/stopping.ts";

/** How far `/metrics` may lag behind the counts of other processes. */
const intervalMs = 10_000;

/** The numbers of this process that are already in the totals, by name and labels. */
const reported = new Map<string, number>();
let last: Promise<void> = Promise.resolve();
let timer: NodeJS.Timeout | undefined;

/** Reports every few seconds from now on, without keeping the process alive. */
export function startReporting(): void {
  if (timer) return;
  timer = setInterval(() => void reportMetrics(), intervalMs).unref();
  stoppingSignal().addEventListener("abort", () => void reportMetrics(), { once: true });
}

/**
 * Adds what this process has counted since its last report to the totals of all processes. After a
 * failure, the next report includes it.
 */
export function reportMetrics(): Promise<void> {
  last = last.then(report).catch((err) => log.warn({ err }, "metrics report failed"));
  return last;
}

async function report(): Promise<void> {
  const samples = (await readMetrics()).flatMap(samplesOf);
  const counted = samples.flatMap(({ name, labels, value, exemplar }) => {
    const key = JSON.stringify(labels, Object.keys(labels).sort());
    const before = reported.get(`${name} ${key}`);
    // Also reported if it is 0, so that Prometheus sees the increase from 0.
    return value === before ? [] : [{ name, labels: key, value: value - (before ?? 0), exemplar }];
  });
  if (counted.length === 0) return;
  await addToTotals(db(), counted);
  for (const { name, labels, value } of counted) {
    const key = `${name} ${labels}`;
    reported.set(key, (reported.get(key) ?? 0) + value);
  }
}
