import { db } from "#lib/db/client.ts";
import { countRunningJobs } from "#lib/db/queries/jobs/queue-state.ts";
import { jobStages } from "#lib/db/schema/job-states.ts";
import { countSlots } from "./dead-runners.ts";
import { wakeRunners } from "./sweep.ts";

/** A message takes less than a second. After this time with a free slot, it was lost. */
const lostSeconds = 10;

/**
 * Under Inngest, sends messages for jobs that wait although slots are free: theirs were lost, such as
 * in a crash of Inngest. A runner that gets one goes on with the other waiting jobs by itself.
 */
export async function wakeIdleRunners(): Promise<void> {
  const running = await countRunningJobs(db());
  for (const stage of jobStages) {
    const { live } = await countSlots(stage);
    await wakeRunners(stage, { seconds: lostSeconds, limit: live - running[stage] });
  }
}
