import type { RunnerReport } from "#lib/db/schema/runners.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";

/** The engines that keep a job from running. */
export interface MissingEngines {
  readonly engines: readonly string[];
  /** Each works on a live runner, but all of them on none. */
  readonly isSplit: boolean;
}

/**
 * What a job with these operations lacks, by the reports of all live media runners. Undefined if one of
 * them can run it, has not checked its engines yet, or if none is alive.
 */
export function findMissingEngines(
  operationIds: readonly string[],
  reports: readonly RunnerReport[],
): MissingEngines | undefined {
  if (reports.length === 0) return undefined;
  const required = operationIds.flatMap((id) => findOperation(id)?.requires ?? []);
  const engines = [...new Set(required)];
  const lacks = (report: RunnerReport, engine: string) => report.engines[engine] === null;
  if (reports.some((report) => !engines.some((engine) => lacks(report, engine)))) return undefined;
  const missing = engines.filter((engine) => reports.every((report) => lacks(report, engine)));
  return missing.length > 0 ? { engines: missing, isSplit: false } : { engines, isSplit: true };
}

/** Why no runner can run a job, as a sentence whose subject is the job or the operation. */
export function describeMissing(subject: string, { engines, isSplit }: MissingEngines): string {
  if (isSplit)
    return `${subject} needs ${joinWords(engines)}, which no runner of this server has together.`;
  return `${subject} needs ${joinWords(engines)}, which no runner of this server has in a working state.`;
}

const joinWords = (words: readonly string[]) =>
  new Intl.ListFormat("en", { type: "conjunction" }).format(words);
