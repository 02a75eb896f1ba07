import { cron, type Inngest } from "inngest";
import { releaseDeadRunners } from "#lib/jobs/runner/dead-runners.ts";
import { sweepAll } from "#lib/jobs/runner/sweep.ts";

/** The function that releases lost jobs, enqueues waiting work again and deletes expired files, every minute. */
export function createSweep(client: Inngest) {
  return client.createFunction(
    { id: "sweep", triggers: [cron("* * * * *")], retries: 0, concurrency: { limit: 1 } },
    async ({ step }) => {
      await step.run("release dead runners", releaseDeadRunners);
      await step.run("sweep", sweepAll);
    },
  );
}
