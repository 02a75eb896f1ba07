import { cron, type Inngest } from "inngest";
import { sweep } from "#lib/jobs/runner/sweep.ts";

/** The function that releases lost jobs, enqueues waiting work again and deletes expired files, every minute. */
export function createSweep(client: Inngest) {
  return client.createFunction(
    { id: "sweep", triggers: [cron("* * * * *")], retries: 0, concurrency: { limit: 1 } },
    async ({ step }) => {
      await step.run("sweep", sweep);
    },
  );
}
