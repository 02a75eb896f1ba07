import { describe, expect, it } from "vitest";
import type { JobStatus } from "#lib/db/schema/jobs.ts";
import type { Job } from "#lib/jobs/view/job.ts";
import {
  type Ending,
  emptyHistory,
  findViolations,
  type History,
  type JudgedHook,
} from "#tests/faults/history.ts";

function job(status: JobStatus, more: Partial<Job> = {}): Job {
  const input = { filename: "a.txt", content_type: "text/plain", bytes: 1000, url: null };
  const none = { result: null, error: null, error_code: null, metadata: {} };
  const isFinal = status !== "pending" && status !== "processing";
  return {
    ...{ id: "job_1", operation: "pipeline/file-inspect", params: {}, outputs: [], input },
    ...{ ...none, status, progress: status === "completed" ? 100 : 0 },
    created_at: "2026-01-01T00:00:00.000Z",
    started_at: null,
    completed_at: isFinal ? "2026-01-01T00:00:01.000Z" : null,
    ...more,
  };
}

function hook(id: string, type: string, data: Job): JudgedHook {
  return { at: 0, headers: { "webhook-id": id }, body: JSON.stringify({ type, data }) };
}

const done = job("completed");

/** One job that went as it should. */
function goodHistory(): History {
  const history = emptyHistory();
  history.accepted.set("request 1", ["job_1", "job_1"]);
  history.seen.set("job_1", [job("pending"), job("processing", { progress: 40 }), done]);
  const body = '{"error":"The service is briefly unavailable."}';
  history.refusals.push({ request: "GET /v1/jobs", status: 503, retryAfter: "5", body });
  const told = hook("whd_1", "job.completed", done);
  history.hooks.push(told, told);
  return history;
}

const goodEnding: Ending = {
  jobs: [done],
  usage: { gb_used: 1e-6, total_jobs: 1 },
  reservedBytes: 0,
  badOutputs: new Map(),
  leftovers: [],
};

it("a history without faults has no violations", () => {
  expect(findViolations(goodHistory(), goodEnding)).toEqual([]);
});

interface Row {
  readonly broken: string;
  readonly history?: (history: History) => void;
  readonly ending?: Partial<Ending>;
  readonly found: RegExp;
}

const seen =
  (...states: Job[]) =>
  (history: History) =>
    void history.seen.set("job_1", states);
const hooks = (...received: JudgedHook[]) => ({
  history: (history: History) => void history.hooks.splice(0, 2, ...received),
});
const failed = job("failed");

const rows: readonly Row[] = [
  { broken: "an accepted job that is gone", ending: { jobs: [] }, found: /accepted and is gone/ },
  {
    broken: "one request that made two jobs",
    history: ({ accepted }) => void accepted.set("request 1", ["job_1", "job_2"]),
    found: /made 2 jobs/,
  },
  {
    broken: "a job that never ends",
    history: seen(job("processing")),
    ending: { jobs: [job("processing")] },
    found: /still processing/,
  },
  {
    broken: "a job that goes back",
    history: seen(job("processing"), job("pending"), done),
    found: /went back/,
  },
  { broken: "an end that changes", history: seen(failed), found: /left its end/ },
  {
    broken: "a job that ends again",
    history: seen(job("completed", { completed_at: "2026-01-01T00:00:09.000Z" })),
    found: /ended twice/,
  },
  {
    broken: "progress that falls",
    history: seen(job("processing", { progress: 50 }), job("processing", { progress: 49 })),
    found: /progress fell from 50 to 49/,
  },
  {
    broken: "an output that is not whole",
    ending: { badOutputs: new Map([["job_1", "it sounds different"]]) },
    found: /it sounds different/,
  },
  {
    broken: "usage counted twice",
    ending: { usage: { gb_used: 2e-6, total_jobs: 1 } },
    found: /2000 bytes are counted/,
  },
  {
    broken: "a job counted twice",
    ending: { usage: { gb_used: 1e-6, total_jobs: 2 } },
    found: /2 jobs are counted/,
  },
  {
    broken: "a reservation that stays",
    ending: { reservedBytes: 5 },
    found: /5 bytes stay reserved/,
  },
  { broken: "no webhook", ...hooks(), found: /no webhook/ },
  {
    broken: "a webhook under two ids",
    ...hooks(hook("whd_1", "job.completed", done), hook("whd_2", "job.completed", done)),
    found: /under 2 ids/,
  },
  {
    broken: "a webhook that another has signed",
    ...hooks({ ...hook("whd_1", "job.completed", done), badSignature: "no match" }),
    found: /does not verify/,
  },
  {
    broken: "a webhook that tells another end",
    ...hooks(hook("whd_1", "job.failed", failed)),
    found: /its webhook said job.failed/,
  },
  {
    broken: "an answer of 500",
    history: ({ refusals }) =>
      void refusals.push({ request: "GET /", status: 500, retryAfter: null, body: "oh" }),
    found: /was answered 500/,
  },
  {
    broken: "a 503 that does not say when",
    history: ({ refusals }) =>
      void refusals.push({ request: "GET /", status: 503, retryAfter: null, body: "oh" }),
    found: /was answered 503, Retry-After null/,
  },
  { broken: "a process that stays", ending: { leftovers: ["process 7"] }, found: /process 7/ },
];

describe("is told of", () => {
  it.each(rows)("$broken", ({ history: breakHistory, ending, found }) => {
    const history = goodHistory();
    breakHistory?.(history);
    const violations = findViolations(history, { ...goodEnding, ...ending });
    expect(violations.join("\n")).toMatch(found);
  });
});
