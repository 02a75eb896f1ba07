import { expect, it, vi } from "vitest";
import { db } from "#lib/db/client.ts";
import { recordHeartbeat } from "#lib/db/queries/jobs/runners.ts";
import { runners } from "#lib/db/schema/runners.ts";
import { readRunnersStatus } from "#lib/jobs/status/runners-status.ts";

it("jobs wait from the last heartbeat of a media runner until there is another one", async () => {
  await db().delete(runners);
  vi.useFakeTimers({ toFake: ["Date"] });
  const later = () => vi.advanceTimersByTime(3000);
  try {
    await recordHeartbeat(db(), { id: "webhooks-1", kind: "webhooks", report: { engines: {} } });
    expect(await readRunnersStatus()).toEqual({ state: "missing", missing_since: null });
    later();
    const lastHeartbeatAt = new Date("2026-01-01T00:00:00Z");
    const lost = { id: "media-1", kind: "media", report: { engines: {} } } as const;
    await db()
      .insert(runners)
      .values({ ...lost, lastHeartbeatAt });
    expect(await readRunnersStatus()).toEqual({
      state: "missing",
      missing_since: "2026-01-01T00:00:00.000Z",
    });
    later();
    await recordHeartbeat(db(), { id: "media-2", kind: "media", report: { engines: {} } });
    expect(await readRunnersStatus()).toEqual({ state: "ok", missing_since: null });
  } finally {
    vi.useRealTimers();
    await db().delete(runners);
  }
});
