import type { Inngest } from "inngest";
import type { JobStage } from "#lib/db/schema/job-states.ts";
import { endsWhenLost, eventNames, type JobEvent } from "#lib/queue/inngest.ts";
import type { ClaimReport, SettleReport, WorkReport } from "./job-run.ts";
import type { JobSlots } from "./job-slots.ts";
import { stepReporting } from "./step-reporting.ts";

/** The function that fetches jobs' files into storage. A job then waits for an engine. */
export const createFetchInputs = (client: Inngest, slots: JobSlots) =>
  createJobFunction(client, "fetch-inputs", slots);

/** The function that runs jobs on engines. */
export const createRunJob = (client: Inngest, slots: JobSlots) =>
  createJobFunction(client, "run-job", slots);

/** A job in the result of a run. */
type JobReport = ClaimReport & Omit<WorkReport, "duration_ms"> & SettleReport;

/** The session went on in another process, or its results are no longer kept. */
const elsewhere = { reason: "not_in_this_process" } as const;

const stepNames: Readonly<Record<JobStage, (operation: string) => string>> = {
  fetch: (operation) => `fetch for ${operation}`,
  run: (operation) => `run ${operation}`,
};

/**
 * A message starts a session of `slots`. The steps only report what the session does, and each of them
 * waits for the session. It claims the job whose turn it is, which may be another one than the message's,
 * and goes on with further jobs while some wait.
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
    async ({ event, step }) => {
      // Only lib/queue/inngest.ts sends events of these names.
      const message = event.data as JobEvent;
      const find = (index: number) => slots.find(message.messageId)?.job(index);
      const jobs: JobReport[] = [];
      while (true) {
        const index = jobs.length;
        const claimed = await step.run("claim", () => claim(slots, message, index));
        if ("reason" in claimed) return { jobs, ended: claimed.reason };
        const name = stepNames[slots.stage](claimed.operation);
        const worked = await step.run(name, async () => (await find(index)?.worked) ?? elsewhere);
        if ("reason" in worked) return { jobs, ended: worked.reason };
        const settled = await step.run("settle", async () => settle(slots, message, index));
        if ("reason" in settled) return { jobs, ended: settled.reason };
        const { duration_ms: _, ...outcome } = worked;
        const { ended, ...settling } = settled;
        jobs.push({ ...claimed, ...outcome, ...settling });
        if (ended) return { jobs, ended };
      }
    },
  );
}

async function claim(slots: JobSlots, message: JobEvent, index: number) {
  const session = slots.find(message.messageId) ?? (index === 0 ? slots.start(message) : undefined);
  const next = await session?.next(index);
  if (!next) return elsewhere;
  return typeof next === "string" ? { reason: next } : next.claim;
}

/** With `ended` if the session claimed no job after this one. */
async function settle(slots: JobSlots, { messageId }: JobEvent, index: number) {
  const session = slots.find(messageId);
  const report = await session?.job(index)?.settled;
  const next = await session?.next(index + 1);
  if (!report || !next) return elsewhere;
  return { ...report, ...(typeof next === "string" ? { ended: next } : {}) };
}
