import type { JobRow } from "#lib/db/schema/jobs.ts";
import { isFinal } from "../state.ts";

/** The phases of a job, in order. */
export const phaseNames = ["queued", "fetching", "waiting", "working", "storing"] as const;

/**
 * The phase of a job: `queued` until a runner claims it, `fetching` its URLs, `waiting` for an
 * engine or for its next attempt, `working` on the engine, `storing` its outputs here or where the request says.
 */
export type PhaseName = (typeof phaseNames)[number];

export interface JobPhase {
  readonly name: PhaseName;
  /** The start of the phase in RFC 3339 UTC. */
  readonly from: string;
  /** The end of the phase; null while it lasts. */
  readonly to: string | null;
}

type TimedJob = Pick<
  JobRow,
  | "status"
  | "stage"
  | "unexported"
  | "leaseToken"
  | "createdAt"
  | "startedAt"
  | "fetchedAt"
  | "engineStartedAt"
  | "engineEndedAt"
  | "completedAt"
>;

/** A shorter wait between two phases is only the time that enqueueing takes. */
const minWaitMs = 5;

/** The phases that a job has completed and the current one, without gaps. */
export function phasesOf(job: TimedJob): JobPhase[] {
  const starts = startsOf(job);
  const ended = isFinal(job) ? (job.completedAt ?? new Date()) : null;
  return starts.map(({ name, at }, index) => {
    // The times come from different clocks. A phase never ends before it starts.
    const until = starts[index + 1]?.at ?? ended;
    const end = until && new Date(Math.max(at.getTime(), until.getTime()));
    return { name, from: at.toISOString(), to: end?.toISOString() ?? null };
  });
}

function startsOf(job: TimedJob): { readonly name: PhaseName; readonly at: Date }[] {
  const { createdAt, startedAt, fetchedAt, engineStartedAt, engineEndedAt } = job;
  const starts: { name: PhaseName; at: Date }[] = [{ name: "queued", at: createdAt }];
  if (!startedAt) return starts;
  const isFetching = job.stage === "fetch" && job.unexported === null;
  const fetches = isFetching || fetchedAt !== null;
  if (fetches) starts.push({ name: "fetching", at: startedAt });
  const ready = fetches ? fetchedAt : startedAt;
  if (!ready) return starts;
  const waitMs = (engineStartedAt?.getTime() ?? Number.POSITIVE_INFINITY) - ready.getTime();
  const waited = waitMs > minWaitMs;
  if (waited) starts.push({ name: "waiting", at: ready });
  if (engineStartedAt) starts.push({ name: "working", at: waited ? engineStartedAt : ready });
  if (engineEndedAt) starts.push({ name: "storing", at: engineEndedAt });
  // Released for another attempt.
  const isReleased = job.status === "processing" && job.leaseToken === null && job.stage === "run";
  if (isReleased && starts.at(-1)?.name === "working") {
    starts.splice(-1, 1, { name: "waiting", at: ready });
  }
  return starts;
}
