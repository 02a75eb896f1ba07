import { log } from "#lib/log.ts";
import { db } from "../../client.ts";
import { isDatabaseUnavailable } from "../../errors.ts";
import { requireAnswer } from "../../ping.ts";
import type { RunnerReport } from "../../schema/runners.ts";
import { listLiveRunners, liveSeconds } from "./runners.ts";

/** What the live media runners report, for the web service. */

/** How long the reports are kept: as long as a runner takes to report an engine that no longer works. */
const keptMs = 5000;

/** How long pages wait, which also show something without the reports. */
const answerMs = 3000;

let reading: ReturnType<typeof listLiveRunners> | undefined;

let kept: { readonly reports: readonly RunnerReport[]; readonly until: number } | undefined;

/** The reports of the live media runners, at most five seconds old. */
export async function readMediaReports(): Promise<readonly RunnerReport[]> {
  if (!kept || kept.until < Date.now()) {
    // All who ask at a time share one query, of which otherwise as many would wait as there are requests.
    reading ??= requireAnswer(listLiveRunners(db(), "media", liveSeconds), answerMs).finally(() => {
      reading = undefined;
    });
    const reports = await reading;
    kept = { reports, until: Date.now() + keptMs };
  }
  return kept.reports;
}

/**
 * Whether a live media runner has no sandbox although its operator has not turned it off. One is enough,
 * because each runner takes each job. If the database is unavailable, the last known answer.
 */
export async function hasFailedSandbox(): Promise<boolean> {
  let reports = kept?.reports ?? [];
  try {
    reports = await readMediaReports();
  } catch (err) {
    if (!isDatabaseUnavailable(err)) throw err;
    log.debug({ err }, "reports of media runners not read");
  }
  return reports.some(({ sandboxFailed }) => sandboxFailed === true);
}
