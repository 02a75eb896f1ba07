import { db } from "#lib/db/client.ts";
import { findLastHeartbeat, listLiveRunners, liveSeconds } from "#lib/db/queries/jobs/runners.ts";
import { recent } from "./recent.ts";

/** Whether jobs are run at all: the fact that `/readyz` reports as `media_runner`. */
export interface RunnersStatus {
  /** `missing`: no media runner is connected, and jobs wait. */
  readonly state: "ok" | "missing";
  /** When the last runner was seen, RFC 3339; null if one is connected, and if none was seen for a day. */
  readonly missing_since: string | null;
}

/** The status of the runners, at most two seconds old. */
export const readRunnersStatus = recent(2000, readNow);

async function readNow(): Promise<RunnersStatus> {
  const live = await listLiveRunners(db(), "media", liveSeconds);
  if (live.length > 0) return { state: "ok", missing_since: null };
  const last = await findLastHeartbeat(db(), "media");
  return { state: "missing", missing_since: last?.toISOString() ?? null };
}
