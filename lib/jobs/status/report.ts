import { db } from "#lib/db/client.ts";
import {
  type CheckCount,
  countChecks,
  findLastCheck,
  keptCheckDays,
  listFailingChecks,
} from "#lib/db/queries/operator/status-checks.ts";
import {
  type CheckedEngine,
  type CheckResult,
  checkedEngines,
} from "#lib/db/schema/operator/checked-engines.ts";
import type { StatusCheck } from "#lib/db/schema/operator/status-checks.ts";
import { env } from "#lib/env.ts";
import { checkIntervalSeconds, staleSeconds } from "./checks.ts";

/** How an engine is now. `no_recent_check`: the last result is too old to say. */
export type EngineState = CheckResult | "no_recent_check";

/** The checks of one hour or day. */
export interface CheckPeriod {
  /** The start of the period in RFC 3339, UTC. */
  readonly start: string;
  readonly checks: number;
  readonly slow: number;
  readonly failing: number;
}

/** Consecutive failing checks of an engine. */
export interface Incident {
  readonly engine: CheckedEngine;
  /** The first and the last failing check, RFC 3339. */
  readonly started_at: string;
  readonly last_failed_at: string;
  /** Whether the engine's last check failed. */
  readonly is_ongoing: boolean;
  readonly failed_checks: number;
  /** The code of the last error. */
  readonly error_code: string | null;
}

export interface EngineStatus {
  readonly engine: CheckedEngine;
  readonly state: EngineState;
  /** The last check with a result. Duration in milliseconds; null if it failed. */
  readonly last_check: {
    readonly at: string;
    readonly result: CheckResult;
    readonly duration_ms: number | null;
  } | null;
  /** The share of checks that did not fail, 0 to 1; null without a check. */
  readonly availability: {
    readonly last_24_hours: number | null;
    readonly last_90_days: number | null;
  };
  /** The checks of each hour, oldest first: all of them, also those without a check. */
  readonly hours: readonly CheckPeriod[];
  readonly days: readonly CheckPeriod[];
}

export interface StatusReport {
  /** The worst state of all engines. */
  readonly state: EngineState;
  /** Whether this installation makes checks. */
  readonly checks: "on" | "off";
  readonly interval_seconds: number;
  readonly last_check_at: string | null;
  /** The start of the first day, UTC, that has a check, of those that are kept; null without a check. */
  readonly checked_since: string | null;
  readonly engines: readonly EngineStatus[];
  /** The incidents, newest first. */
  readonly incidents: readonly Incident[];
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const severity: readonly EngineState[] = ["operational", "no_recent_check", "slow", "failing"];

/** The most failing checks that incidents are made of, and the most incidents that are shown. */
const maxFailing = 5000;
const maxIncidents = 50;

/** The status of all engines, from the results of their checks. */
export async function readStatus(now: Date = new Date()): Promise<StatusReport> {
  const hours = periods(now, hourMs, 24);
  const days = periods(now, dayMs, keptCheckDays);
  const [hourCounts, dayCounts, failing, lastChecks] = await Promise.all([
    countChecks(db(), "hour", hours[0] ?? now),
    countChecks(db(), "day", days[0] ?? now),
    listFailingChecks(db(), maxFailing),
    Promise.all(checkedEngines.map((engine) => findLastCheck(db(), engine))),
  ]);
  const engines = checkedEngines.map((engine, index): EngineStatus => {
    const last = lastChecks[index];
    const inHours = fill(hours, hourCounts, engine);
    const inDays = fill(days, dayCounts, engine);
    return {
      engine,
      state: stateOf(last, now),
      last_check: last?.result
        ? { at: last.checkedAt.toISOString(), result: last.result, duration_ms: last.durationMs }
        : null,
      availability: {
        last_24_hours: availabilityOf(inHours),
        last_90_days: availabilityOf(inDays),
      },
      hours: inHours,
      days: inDays,
    };
  });
  const times = lastChecks.flatMap((last) => last?.checkedAt.getTime() ?? []);
  const states = engines.map(({ state }) => state);
  return {
    state: severity.findLast((state) => states.includes(state)) ?? "no_recent_check",
    checks: env.STATUS_CHECKS,
    interval_seconds: checkIntervalSeconds,
    last_check_at: times.length > 0 ? new Date(Math.max(...times)).toISOString() : null,
    checked_since: firstDayOf(engines),
    engines,
    incidents: findIncidents(failing, lastChecks, now),
  };
}

function firstDayOf(engines: readonly EngineStatus[]): string | null {
  const checked = engines.flatMap(({ days }) => days.find(({ checks }) => checks > 0)?.start ?? []);
  return checked.toSorted()[0] ?? null;
}

/** A result that is too old says nothing: the engine may have failed since. */
export function stateOf(last: StatusCheck | undefined, now: Date): EngineState {
  if (!last?.result) return "no_recent_check";
  const ageMs = now.getTime() - last.checkedAt.getTime();
  return ageMs > staleSeconds * 1000 ? "no_recent_check" : last.result;
}

/** Failing checks of an engine that follow each other, newest first. `failing` is oldest first. */
export function findIncidents(
  failing: readonly StatusCheck[],
  lastChecks: readonly (StatusCheck | undefined)[],
  now: Date,
): Incident[] {
  // Between two failing runs, a longer gap has a check that did not fail, or none at all.
  const maxGapMs = 1.5 * checkIntervalSeconds * 1000;
  const incidents = checkedEngines.flatMap((engine) => {
    const groups: StatusCheck[][] = [];
    for (const check of failing.filter((one) => one.engine === engine)) {
      const before = groups.at(-1)?.at(-1);
      const gapMs = before ? check.checkedAt.getTime() - before.checkedAt.getTime() : Infinity;
      if (gapMs <= maxGapMs) groups.at(-1)?.push(check);
      else groups.push([check]);
    }
    const last = lastChecks.find((check) => check?.engine === engine);
    return groups.map((group): Incident => {
      const first = group[0];
      const final = group.at(-1);
      return {
        engine,
        started_at: (first?.checkedAt ?? now).toISOString(),
        last_failed_at: (final?.checkedAt ?? now).toISOString(),
        is_ongoing: final?.id === last?.id && stateOf(last, now) === "failing",
        failed_checks: group.length,
        error_code: final?.errorCode ?? null,
      };
    });
  });
  return incidents
    .toSorted((one, other) => other.started_at.localeCompare(one.started_at))
    .slice(0, maxIncidents);
}

/** The starts of the last `count` hours or days, UTC, oldest first; the last one is the current one. */
function periods(now: Date, unitMs: number, count: number): Date[] {
  const current = Math.floor(now.getTime() / unitMs) * unitMs;
  return Array.from({ length: count }, (_, index) => {
    return new Date(current - (count - 1 - index) * unitMs);
  });
}

function fill(
  starts: readonly Date[],
  counts: readonly CheckCount[],
  engine: CheckedEngine,
): CheckPeriod[] {
  const own = new Map(
    counts.filter((one) => one.engine === engine).map((one) => [one.start.getTime(), one]),
  );
  return starts.map((start) => {
    const { checks = 0, slow = 0, failing = 0 } = own.get(start.getTime()) ?? {};
    return { start: start.toISOString(), checks, slow, failing };
  });
}

function availabilityOf(counted: readonly CheckPeriod[]): number | null {
  const checks = counted.reduce((sum, period) => sum + period.checks, 0);
  const failing = counted.reduce((sum, period) => sum + period.failing, 0);
  return checks === 0 ? null : (checks - failing) / checks;
}

/** How long a report serves all requests, so that the public page costs the database little. */
const reportMs = 30_000;
let cached: { readonly report: Promise<StatusReport>; readonly atMs: number } | undefined;

/** Resolves as `readStatus` does, which is called at most every 30 seconds. */
export function readCachedStatus(): Promise<StatusReport> {
  if (!cached || Date.now() - cached.atMs > reportMs) {
    const report = readStatus();
    cached = { report, atMs: Date.now() };
    report.catch(() => {
      cached = undefined;
    });
  }
  return cached.report;
}
