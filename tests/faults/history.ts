import type { JobStatus } from "#lib/db/schema/jobs.ts";
import type { Job } from "#lib/jobs/view/job.ts";
import type { ReceivedHook } from "../servers/webhook-receiver.ts";

/** What clients and receivers saw of a service while it was mistreated, and what must hold of it. */

/** An answer that refused a request. */
export interface Refusal {
  readonly request: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: string;
}

/** A webhook as it arrived, and what was wrong with its signature then: it is only good for minutes. */
export interface JudgedHook extends ReceivedHook {
  readonly badSignature?: string;
}

export interface History {
  /** Ids of the jobs that each request was answered with, by its `Idempotency-Key`. */
  readonly accepted: Map<string, string[]>;
  /** Every state in which a job was read, in order, by id. */
  readonly seen: Map<string, Job[]>;
  readonly refusals: Refusal[];
  readonly hooks: JudgedHook[];
}

/** How things stood in the end. */
export interface Ending {
  /** Every job of the account. */
  readonly jobs: readonly Job[];
  readonly usage: { readonly gb_used: number; readonly total_jobs: number };
  /** Bytes still held against the quota. */
  readonly reservedBytes: number;
  /** What is wrong with a job's outputs, by id; of those whose outputs were read. */
  readonly badOutputs: ReadonlyMap<string, string>;
  /** Files, folders and processes that belong to nobody any more. */
  readonly leftovers: readonly string[];
}

export function emptyHistory(): History {
  return { accepted: new Map(), seen: new Map(), refusals: [], hooks: [] };
}

const rank: Record<JobStatus, number> = {
  pending: 0,
  processing: 1,
  completed: 2,
  failed: 2,
  cancelled: 2,
};

/** What does not hold of a service that keeps its word; empty where all does. */
export function findViolations(history: History, ending: Ending): string[] {
  const found = [
    ...[...history.accepted].flatMap(([key, ids]) => checkAcceptance(key, ids, ending)),
    ...[...history.seen].flatMap(([id, states]) => checkStates(id, states, ending)),
    ...history.refusals.flatMap(checkRefusal),
    ...ending.jobs.flatMap((job) => checkEnd(job, ending)),
    ...ending.jobs.flatMap((job) => checkHooks(job, history.hooks)),
    ...checkUsage(ending),
    ...ending.leftovers.map((name) => `left over: ${name}`),
  ];
  return [...new Set(found)];
}

function checkAcceptance(key: string, ids: readonly string[], { jobs }: Ending): string[] {
  const different = new Set(ids);
  if (different.size > 1) return [`${key}: one request made ${different.size} jobs`];
  return [...different]
    .filter((id) => !jobs.some((job) => job.id === id))
    .map((id) => `${id}: was accepted and is gone`);
}

function checkStates(id: string, states: readonly Job[], { jobs }: Ending): string[] {
  const found: string[] = [];
  const last = jobs.find((job) => job.id === id);
  const all = last ? [...states, last] : states;
  for (const [index, state] of all.entries()) {
    const before = all[index - 1];
    if (!before) continue;
    const step = `${before.status} to ${state.status}`;
    if (rank[state.status] < rank[before.status]) found.push(`${id}: went back, ${step}`);
    else if (rank[before.status] === 2 && state.status !== before.status)
      found.push(`${id}: left its end, ${step}`);
    if (state.progress < before.progress)
      found.push(`${id}: progress fell from ${before.progress} to ${state.progress}`);
    if (rank[before.status] === 2 && state.completed_at !== before.completed_at)
      found.push(`${id}: ended twice`);
  }
  return found;
}

/** Refused for a while is fine; with what the client needs to try again, and nothing of our insides. */
function checkRefusal({ request, status, retryAfter, body }: Refusal): string[] {
  if (status === 503 && retryAfter !== null) return [];
  if (status === 409 && retryAfter !== null) return [];
  return [`${request} was answered ${status}, Retry-After ${retryAfter}: ${body.slice(0, 200)}`];
}

function checkEnd(job: Job, { badOutputs }: Ending): string[] {
  if (rank[job.status] < 2) return [`${job.id}: is still ${job.status}`];
  const bad = badOutputs.get(job.id);
  return bad === undefined ? [] : [`${job.id}: ${bad}`];
}

function checkHooks(job: Job, hooks: readonly JudgedHook[]): string[] {
  const own = hooks.filter(({ body }) => body.includes(job.id));
  if (own.length === 0) return [`${job.id}: no webhook arrived`];
  const found: string[] = [];
  const ids = new Set(own.map(({ headers }) => headers["webhook-id"]));
  if (ids.size > 1) found.push(`${job.id}: its webhook arrived under ${ids.size} ids`);
  for (const { body, badSignature } of own) {
    if (badSignature) found.push(`${job.id}: its webhook does not verify: ${badSignature}`);
    // What our own service signed.
    const event = JSON.parse(body) as { type: string; data: Job };
    if (event.type !== `job.${job.status}` || event.data.status !== job.status)
      found.push(`${job.id}: ${job.status}, but its webhook said ${event.type}`);
  }
  return found;
}

function checkUsage({ jobs, usage, reservedBytes }: Ending): string[] {
  const found: string[] = [];
  const used = jobs
    .filter((job) => job.status === "completed")
    .reduce((sum, job) => sum + (job.input.bytes ?? 0), 0);
  const counted = Math.round(usage.gb_used * 1e9);
  if (counted !== used) found.push(`${counted} bytes are counted, ${used} were used`);
  if (usage.total_jobs !== jobs.length)
    found.push(`${usage.total_jobs} jobs are counted, there are ${jobs.length}`);
  if (reservedBytes !== 0) found.push(`${reservedBytes} bytes stay reserved`);
  return found;
}
