import { desc, sql } from "drizzle-orm";
import type { Queryable } from "../../client.ts";
import { runners } from "../../schema/runners.ts";

/** Runners with a heartbeat in the last day, newest heartbeat first. `isAlive`: in the last `seconds`. */
export function listRunners(db: Queryable, seconds: number) {
  return db
    .select({
      id: runners.id,
      kind: runners.kind,
      report: runners.report,
      startedAt: runners.startedAt,
      lastHeartbeatAt: runners.lastHeartbeatAt,
      isAlive: sql<boolean>`${runners.lastHeartbeatAt} > now() - make_interval(secs => ${seconds})`,
    })
    .from(runners)
    .orderBy(desc(runners.lastHeartbeatAt))
    .limit(100);
}
