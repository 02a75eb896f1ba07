import type { GetStepTools, Inngest } from "inngest";
import { db } from "#lib/db/client.ts";
import { claimJob } from "#lib/db/queries/leases.ts";
import { createToken } from "#lib/ids.ts";
import type { LeaseTimes } from "#lib/jobs/lease.ts";
import { runJob } from "#lib/jobs/run.ts";
import { eventNames, type JobEvent } from "#lib/queue/inngest.ts";
import type { Steps } from "#lib/queue/port.ts";

/** A head start in seconds by plan; Inngest allows at most 600. */
const priority =
  "event.data.plan == 'enterprise' ? 600 : event.data.plan == 'business' ? 400 : event.data.plan == 'pro' ? 200 : 0";

/** Jobs at once: two for a free account. Other events have a key of their own, and so no limit here. */
const twoForFree = "event.data.plan == 'free' ? event.data.accountId : event.id";

/** Five for a pro account; five in each of a business account's four slots. */
const fiveForPaid =
  "event.data.plan == 'pro' ? event.data.accountId : event.data.plan == 'business' ? event.data.accountId + '-' + string(event.data.slot) : event.id";

/** The function that runs a job on a media runner: the steps of `runJob`, kept by Inngest. */
export function createRunJob(client: Inngest, times: LeaseTimes, stopping: AbortSignal) {
  return client.createFunction(
    {
      id: "run-job",
      triggers: [{ event: eventNames.job }],
      retries: 3,
      priority: { run: priority },
      concurrency: [
        { limit: 2, key: twoForFree },
        { limit: 5, key: fiveForPaid },
      ],
    },
    async ({ event, step }) => {
      // Events of this name are sent by lib/queue/inngest.ts alone.
      const { jobId } = event.data as JobEvent;
      const claim = async () => {
        const lease = { jobId, token: createToken() };
        return (await claimJob(db(), lease, times.leaseSeconds)) ? lease : null;
      };
      await runJob(claim, { steps: inngestSteps(step), times, stopping });
    },
  );
}

/** Inngest's steps as ours: what a step returns has been through JSON, which is all that ours return. */
export function inngestSteps(step: GetStepTools<Inngest>): Steps {
  return { run: (name, work) => step.run(name, work) as ReturnType<typeof work> };
}
