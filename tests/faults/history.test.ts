import { describe, expect, it } from "vitest";
import type { JobStatus } from "#lib/db/schema/jobs.ts";
import type { Job } from "#lib/jobs/view/job.ts";
import {
  emptyHistory,
  type FinalState,
  findViolations,
  type History,
  type VerifiedHook,
} from "#tests/faults/history.ts";

function job(status: JobStatus, more: Partial<Job> = {}): Job {
  const input = { filename: "a.txt", content_type: "text/plain", bytes: 1000, url: null };
  const none = { result: null, warnings: [], error: null, error_code: null, metadata: {} };
  const isFinal = status !== "pending" && status !== "processing";
  return {
    id: "job_1",
    operation: "pipeline/file-inspect",
    params: {},
    outputs: [],
    input,
    ...none,
    status,
    progress: status === "completed" ? 100 : 0,
    created_at: "2026-01-01T00:00:00.000Z",
    started_at: null,
    completed_at: isFinal ? "2026-01-01T00:00:01.000Z" : null,
    ...more,
  };
}

function hook(id: string, type: string, data: Job): VerifiedHook {
  return { at: 0, headers: { "webhook-id": id }, body: JSON.stringify({ type, data }) };
}

const done = job("completed", { started_at: "2026-01-01T00:00:00.500Z" });

const goodEvents = [
  hook("whd_2", "job.created", job("pending")),
  hook("whd_2", "job.created", job("pending")),
  hook("whd_3", "job.started", done),
  hook("whd_4", "job.completed", done),
];

/** The history of one job without faults. */
function goodHistory(): History {
  const history = emptyHistory();
  history.accepted.set("request 1", ["job_1", "job_1"]);
  history.seen.set("job_1", [job("pending"), job("processing", { progress: 40 }), done]);
  const body = '{"error":"The service is briefly unavailable."}';
  history.errorResponses.push({ request: "GET /v1/jobs", status: 503, retryAfter: "5", body });
  const received = hook("whd_1", "job.completed", done);
  history.hooks.push(received, received);
  history.events.push(...goodEvents);
  return history;
}

const goodFinalState: FinalState = {
  jobs: [done],
  usage: { gb_used: 1e-6, total_jobs: 1 },
  reservedBytes: 0,
  badOutputs: new Map(),
  orphans: [],
};

it("a history without faults has no violations", () => {
  expect(findViolations(goodHistory(), goodFinalState)).toEqual([]);
});

interface Row {
  readonly violation: string;
  readonly history?: (history: History) => void;
  readonly final?: Partial<FinalState>;
  readonly found: RegExp;
}

const seen =
  (...states: Job[]) =>
  (history: History) =>
    void history.seen.set("job_1", states);
const events = (...received: VerifiedHook[]) => ({
  history: (history: History) => void history.events.splice(0, goodEvents.length, ...received),
});
const hooks = (...received: VerifiedHook[]) => ({
  history: (history: History) => void history.hooks.splice(0, 2, ...received),
});
const failed = job("failed");

const rows: readonly Row[] = [
  {
    violation: "an accepted job that no longer exists",
    final: { jobs: [] },
    found: /accepted but no longer exists/,
  },
  {
    violation: "one request that created two jobs",
    history: ({ accepted }) => void accepted.set("request 1", ["job_1", "job_2"]),
    found: /created 2 jobs/,
  },
  {
    violation: "a job that never ends",
    history: seen(job("processing")),
    final: { jobs: [job("processing")] },
    found: /still processing/,
  },
  {
    violation: "a job whose status moves back",
    history: seen(job("processing"), job("pending"), done),
    found: /moved back/,
  },
  {
    violation: "a final status that changes",
    history: seen(failed),
    found: /changed its final status/,
  },
  {
    violation: "a job that ends twice",
    history: seen(job("completed", { completed_at: "2026-01-01T00:00:09.000Z" })),
    found: /ended twice/,
  },
  {
    violation: "progress that decreases",
    history: seen(job("processing", { progress: 50 }), job("processing", { progress: 49 })),
    found: /progress fell from 50 to 49/,
  },
  {
    violation: "a wrong output",
    final: { badOutputs: new Map([["job_1", "its decoded samples differ"]]) },
    found: /its decoded samples differ/,
  },
  {
    violation: "usage counted twice",
    final: { usage: { gb_used: 2e-6, total_jobs: 1 } },
    found: /2000 bytes were counted/,
  },
  {
    violation: "a job counted twice",
    final: { usage: { gb_used: 1e-6, total_jobs: 2 } },
    found: /2 jobs were counted/,
  },
  {
    violation: "a reservation that is not released",
    final: { reservedBytes: 5 },
    found: /5 bytes are still reserved/,
  },
  {
    violation: "a missing event",
    ...events(...goodEvents.slice(0, 2)),
    found: /job.started was received under 0 ids/,
  },
  {
    violation: "an event under two ids",
    ...events(...goodEvents, hook("whd_5", "job.created", done)),
    found: /job.created was received under 2 ids/,
  },
  {
    violation: "an event with an invalid signature",
    ...events(...goodEvents, { ...hook("whd_4", "job.completed", done), badSignature: "no match" }),
    found: /an event does not verify/,
  },
  {
    violation: "an event of another end",
    ...events(...goodEvents, hook("whd_5", "job.failed", failed)),
    found: /an event reported another end/,
  },
  { violation: "a missing webhook", ...hooks(), found: /no webhook/ },
  {
    violation: "a webhook under two ids",
    ...hooks(hook("whd_1", "job.completed", done), hook("whd_2", "job.completed", done)),
    found: /under 2 ids/,
  },
  {
    violation: "a webhook with an invalid signature",
    ...hooks({ ...hook("whd_1", "job.completed", done), badSignature: "no match" }),
    found: /does not verify/,
  },
  {
    violation: "a webhook that reports another status",
    ...hooks(hook("whd_1", "job.failed", failed)),
    found: /its webhook reported job.failed/,
  },
  {
    violation: "a response with status 500",
    history: ({ errorResponses }) =>
      void errorResponses.push({ request: "GET /", status: 500, retryAfter: null, body: "oh" }),
    found: /returned 500/,
  },
  {
    violation: "a 503 without Retry-After",
    history: ({ errorResponses }) =>
      void errorResponses.push({ request: "GET /", status: 503, retryAfter: null, body: "oh" }),
    found: /returned 503, Retry-After null/,
  },
  {
    violation: "a process that is not removed",
    final: { orphans: ["process 7"] },
    found: /process 7/,
  },
];

describe("findViolations reports", () => {
  it.each(rows)("$violation", ({ history: changeHistory, final, found }) => {
    const history = goodHistory();
    changeHistory?.(history);
    const violations = findViolations(history, { ...goodFinalState, ...final });
    expect(violations.join("\n")).toMatch(found);
  });
});
