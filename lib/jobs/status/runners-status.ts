import { db } from "#lib/db/client.ts";
import { findLastHeartbeat, listLiveRunners, liveSeconds } from "#lib/db/queries/jobs/runners.ts";

/** Whether jobs are run at all: the fact that `/readyz` reports as `media_runner`. */
export interface RunnersStatus {
  /** `missing`: no media runner is connected, and jobs wait. */
  readonly state: "ok" | "missing";
  /** When the last runner was seen, RFC 3339; null if one is connected, and if none was seen for a day. */
  readonly missing_since: string | null;
}

const cacheMs = 2000;

let cached: { readonly status: Promise<RunnersStatus>; readonly atMs: number } | undefined;

/** The status of the runners. Many pages may ask for it at once, so it is at most two seconds old. */
export function readRunnersStatus(): Promise<RunnersStatus> {
  if (!cached || Date.now() - cached.atMs > cacheMs) {
    const status = readNow();
    cached = { status, atMs: Date.now() };
    status.catch(() => {
      cached = undefined;
    });
  }
  return cached.status;
}

async function readNow(): Promise<RunnersStatus> {
  const live = await listLiveRunners(db(), "media", liveSeconds);
  if (live.length > 0) return { state: "ok", missing_since: null };
  const last = await findLastHeartbeat(db(), "media");
  return { state: "missing", missing_since: last?.toISOString() ?? null };
}
