import { db } from "#lib/db/client.ts";
import { addToTotals } from "#lib/db/queries/usage/metric-totals.ts";
import { log } from "#lib/log.ts";
import { readMetrics, samplesOf } from "#lib/metrics.ts";
import { stoppingSignal } from "#lib/stopping.ts";

/** How far what `/metrics` says may lag behind what other processes count. */
const intervalMs = 3000;

/** What of this process's numbers the totals hold already, by name and labels. */
const reported = new Map<string, number>();
let last: Promise<void> = Promise.resolve();
let timer: NodeJS.Timeout | undefined;

/** Reports every few seconds from now on; the process may end without it. */
export function startReporting(): void {
  if (timer) return;
  timer = setInterval(() => void reportMetrics(), intervalMs).unref();
  stoppingSignal().addEventListener("abort", () => void reportMetrics(), { once: true });
}

/**
 * Adds what this process has counted since its last report to the totals that all share. What could
 * not be added now is added the next time.
 */
export function reportMetrics(): Promise<void> {
  last = last.then(report).catch((err) => log.warn({ err }, "metrics could not be reported"));
  return last;
}

async function report(): Promise<void> {
  const samples = (await readMetrics()).flatMap(samplesOf);
  const counted = samples.flatMap(({ name, labels, value }) => {
    const key = JSON.stringify(labels, Object.keys(labels).sort());
    const before = reported.get(`${name} ${key}`);
    // A number that begins at 0 is told too: Prometheus wants to see it rise.
    return value === before ? [] : [{ name, labels: key, value: value - (before ?? 0) }];
  });
  if (counted.length === 0) return;
  await addToTotals(db(), counted);
  for (const { name, labels, value } of counted) {
    const key = `${name} ${labels}`;
    reported.set(key, (reported.get(key) ?? 0) + value);
  }
}
