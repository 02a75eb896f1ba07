import type { JobStatus } from "#lib/db/schema/jobs.ts";
import type { Job } from "#lib/jobs/view/job.ts";
import type { ReceivedWebhook } from "../servers/webhook-receiver.ts";

/** What clients and webhook receivers observed while faults were injected, and the guarantees to check. */

/** A response to a request that failed. */
export interface ErrorResponse {
  readonly request: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: string;
}

/** A received webhook. It is verified on receipt, because a signature is valid only for minutes. */
export interface VerifiedHook extends ReceivedWebhook {
  /** Why the signature is invalid; undefined if it is valid. */
  readonly badSignature?: string;
}

export interface History {
  /** Ids of the jobs in the responses to each request, by its `Idempotency-Key`. */
  readonly accepted: Map<string, string[]>;
  /** Every state of a job that the client read, in order, by job id. */
  readonly seen: Map<string, Job[]>;
  readonly errorResponses: ErrorResponse[];
  readonly hooks: VerifiedHook[];
  /** What an endpoint that is subscribed to every event of jobs received. */
  readonly events: VerifiedHook[];
}

/** The state of the service after all jobs have ended. */
export interface FinalState {
  /** Every job of the account. */
  readonly jobs: readonly Job[];
  readonly usage: { readonly gb_used: number; readonly total_jobs: number };
  /** Bytes that are still reserved against the quota. */
  readonly reservedBytes: number;
  /** What is wrong with a job's outputs, by job id; only for jobs whose outputs were read. */
  readonly badOutputs: ReadonlyMap<string, string>;
  /** Files, folders and processes that should have been removed. */
  readonly orphans: readonly string[];
}

export function emptyHistory(): History {
  return { accepted: new Map(), seen: new Map(), errorResponses: [], hooks: [], events: [] };
}

const rank: Record<JobStatus, number> = {
  pending: 0,
  processing: 1,
  completed: 2,
  failed: 2,
  cancelled: 2,
};

/** Lists the violated guarantees of the service; empty if there are none. */
export function findViolations(history: History, final: FinalState): string[] {
  const found = [
    ...[...history.accepted].flatMap(([key, ids]) => checkAcceptance(key, ids, final)),
    ...[...history.seen].flatMap(([id, states]) => checkStates(id, states, final)),
    ...history.errorResponses.flatMap(checkErrorResponse),
    ...final.jobs.flatMap((job) => checkFinalJob(job, final)),
    ...final.jobs.flatMap((job) => checkHooks(job, history.hooks)),
    ...final.jobs.flatMap((job) => checkEvents(job, history.events)),
    ...checkUsage(final),
    ...final.orphans.map((name) => `not removed: ${name}`),
  ];
  return [...new Set(found)];
}

function checkAcceptance(key: string, ids: readonly string[], { jobs }: FinalState): string[] {
  const different = new Set(ids);
  if (different.size > 1) return [`${key}: one request created ${different.size} jobs`];
  return [...different]
    .filter((id) => !jobs.some((job) => job.id === id))
    .map((id) => `${id}: was accepted but no longer exists`);
}

function checkStates(id: string, states: readonly Job[], { jobs }: FinalState): string[] {
  const found: string[] = [];
  const last = jobs.find((job) => job.id === id);
  const all = last ? [...states, last] : states;
  for (const [index, state] of all.entries()) {
    const before = all[index - 1];
    if (!before) continue;
    const step = `${before.status} to ${state.status}`;
    if (rank[state.status] < rank[before.status]) found.push(`${id}: moved back, ${step}`);
    else if (rank[before.status] === 2 && state.status !== before.status)
      found.push(`${id}: changed its final status, ${step}`);
    if (state.progress < before.progress)
      found.push(`${id}: progress fell from ${before.progress} to ${state.progress}`);
    if (rank[before.status] === 2 && state.completed_at !== before.completed_at)
      found.push(`${id}: ended twice`);
  }
  return found;
}

/** A temporary rejection is allowed if `Retry-After` says when the client can try again. */
function checkErrorResponse({ request, status, retryAfter, body }: ErrorResponse): string[] {
  if ((status === 503 || status === 409) && retryAfter !== null) return [];
  return [`${request} returned ${status}, Retry-After ${retryAfter}: ${body.slice(0, 200)}`];
}

function checkFinalJob(job: Job, { badOutputs }: FinalState): string[] {
  if (rank[job.status] < 2) return [`${job.id}: is still ${job.status}`];
  const bad = badOutputs.get(job.id);
  return bad === undefined ? [] : [`${job.id}: ${bad}`];
}

function checkHooks(job: Job, hooks: readonly VerifiedHook[]): string[] {
  const own = hooks.filter(({ body }) => body.includes(job.id));
  if (own.length === 0) return [`${job.id}: no webhook was received`];
  const found: string[] = [];
  const ids = new Set(own.map(({ headers }) => headers["webhook-id"]));
  if (ids.size > 1) found.push(`${job.id}: its webhook was received under ${ids.size} ids`);
  for (const { body, badSignature } of own) {
    if (badSignature) found.push(`${job.id}: its webhook does not verify: ${badSignature}`);
    // The service under test sent this body, so its shape is known.
    const event = JSON.parse(body) as { type: string; data: Job };
    if (event.type !== `job.${job.status}` || event.data.status !== job.status)
      found.push(`${job.id}: ${job.status}, but its webhook reported ${event.type}`);
  }
  return found;
}

/** An endpoint gets each event of a job under one id: it is created, started and ended once. */
function checkEvents(job: Job, events: readonly VerifiedHook[]): string[] {
  const own = events.filter(({ body }) => body.includes(job.id));
  const found = own.flatMap(({ badSignature }) =>
    badSignature ? [`${job.id}: an event does not verify: ${badSignature}`] : [],
  );
  const started = job.started_at === null ? [] : ["job.started"];
  for (const type of ["job.created", ...started, `job.${job.status}`]) {
    const ids = new Set(
      own
        .filter(({ body }) => JSON.parse(body).type === type)
        .map(({ headers }) => headers["webhook-id"]),
    );
    if (ids.size !== 1) found.push(`${job.id}: ${type} was received under ${ids.size} ids`);
  }
  const ends = own.filter(({ body }) => /"type":"job\.(completed|failed|cancelled)"/.test(body));
  const other = ends.find(({ body }) => JSON.parse(body).type !== `job.${job.status}`);
  if (other) found.push(`${job.id}: ${job.status}, but an event reported another end`);
  return found;
}

function checkUsage({ jobs, usage, reservedBytes }: FinalState): string[] {
  const found: string[] = [];
  const used = jobs
    .filter((job) => job.status === "completed")
    .reduce((sum, job) => sum + (job.input.bytes ?? 0), 0);
  const counted = Math.round(usage.gb_used * 1e9);
  if (counted !== used) found.push(`${counted} bytes were counted, but ${used} were used`);
  if (usage.total_jobs !== jobs.length)
    found.push(`${usage.total_jobs} jobs were counted, but ${jobs.length} exist`);
  if (reservedBytes !== 0) found.push(`${reservedBytes} bytes are still reserved`);
  return found;
}
