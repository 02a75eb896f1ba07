import type { JobRow } from "#lib/db/schema/jobs.ts";
import { isFinal } from "../state.ts";

/** What a job does with its time, in the order in which it may. */
export const phaseNames = ["queued", "fetching", "waiting", "working", "storing"] as const;

/**
 * `queued` until somebody takes it, `fetching` its addresses, `waiting` for an engine or after a
 * try that did not end it, `working` on the engine, `storing` its outputs.
 */
export type PhaseName = (typeof phaseNames)[number];

export interface JobPhase {
  readonly name: PhaseName;
  /** RFC 3339 UTC. */
  readonly from: string;
  /** Null: it goes on. */
  readonly to: string | null;
}

type TimedJob = Pick<
  JobRow,
  | "status"
  | "needsFetch"
  | "leaseToken"
  | "createdAt"
  | "startedAt"
  | "fetchedAt"
  | "engineAt"
  | "storingAt"
  | "completedAt"
>;

/** Shorter than this, waiting between two phases is but the hand-over. */
const shortestWaitMs = 5;

/** The phases that a job has gone through and the one that it is in, without gaps. */
export function phasesOf(job: TimedJob): JobPhase[] {
  const starts = startsOf(job);
  const ended = isFinal(job) ? (job.completedAt ?? new Date()) : null;
  return starts.map(({ name, at }, index) => {
    // Moments that different clocks have told are kept in their order.
    const until = starts[index + 1]?.at ?? ended;
    const end = until && new Date(Math.max(at.getTime(), until.getTime()));
    return { name, from: at.toISOString(), to: end?.toISOString() ?? null };
  });
}

function startsOf(job: TimedJob): { readonly name: PhaseName; readonly at: Date }[] {
  const { createdAt, startedAt, fetchedAt, engineAt, storingAt } = job;
  const starts: { name: PhaseName; at: Date }[] = [{ name: "queued", at: createdAt }];
  if (!startedAt) return starts;
  const fetches = job.needsFetch || fetchedAt !== null;
  if (fetches) starts.push({ name: "fetching", at: startedAt });
  const ready = fetches ? fetchedAt : startedAt;
  if (!ready) return starts;
  const waitedMs = (engineAt?.getTime() ?? Number.POSITIVE_INFINITY) - ready.getTime();
  if (waitedMs > shortestWaitMs) starts.push({ name: "waiting", at: ready });
  if (engineAt) starts.push({ name: "working", at: waitedMs > shortestWaitMs ? engineAt : ready });
  if (storingAt) starts.push({ name: "storing", at: storingAt });
  // Handed back for another try.
  const isIdle = job.status === "processing" && job.leaseToken === null && !job.needsFetch;
  if (isIdle && starts.at(-1)?.name === "working")
    starts.splice(-1, 1, { name: "waiting", at: ready });
  return starts;
}
