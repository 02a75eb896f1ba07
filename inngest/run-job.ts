import type { Inngest } from "inngest";
import type { JobStage } from "#lib/db/schema/job-states.ts";
import { endsWhenLost, eventNames, type JobEvent } from "#lib/queue/inngest.ts";
import type { JobReport } from "./job-run.ts";
import type { JobSlots } from "./job-slots.ts";
import { stepReporting } from "./step-reporting.ts";

/** The function that fetches jobs' files into storage. A job then waits for an engine. */
export const createFetchInputs = (client: Inngest, slots: JobSlots) =>
  createJobFunction(client, "fetch-inputs", slots);

/** The function that runs jobs on engines. */
export const createRunJob = (client: Inngest, slots: JobSlots) =>
  createJobFunction(client, "run-job", slots);

const stepNames: Readonly<Record<JobStage, (operation: string) => string>> = {
  fetch: (operation) => `fetch for ${operation}`,
  run: (operation) => `run ${operation}`,
};

/**
 * A message starts a session of `slots`. It claims the job whose turn it is, which may be another one
 * than the message's, and goes on with further jobs while some wait. For each job, a step waits for its
 * end and reports it; a run without a job has no step. If Inngest calls the run again, the session goes
 * on being reported. In another process, or much later, another session starts.
 */
function createJobFunction(client: Inngest, id: string, slots: JobSlots) {
  return client.createFunction(
    {
      id,
      triggers: [{ event: eventNames[slots.stage] }],
      cancelOn: endsWhenLost,
      // For a runner that vanished before its run was ended.
      retries: 3,
      checkpointing: stepReporting,
    },
    async ({ event, runId, step }) => {
      // Only lib/queue/inngest.ts sends events of these names.
      const message = event.data as JobEvent;
      const session = slots.find(message.messageId) ?? slots.start(message, runId);
      const jobs: JobReport[] = [];
      while (true) {
        const next = await session.next(jobs.length);
        if (typeof next === "string") return { jobs, ended: next };
        const { job } = next;
        // With the job's id: in the run's next call, another session may have other jobs.
        const options = {
          id: `${jobs.length}-${job.id}`,
          name: stepNames[slots.stage](job.operation),
        };
        jobs.push(await step.run(options, () => next.report));
      }
    },
  );
}
