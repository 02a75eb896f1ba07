import { expect, it } from "vitest";
import { mergeJobs } from "#components/jobs/list/merge-jobs.ts";
import type { JobSummary } from "#lib/jobs/view/summary.ts";

const job = (id: string, values: Partial<JobSummary> = {}): JobSummary => ({
  id,
  operation: "image/sharpen",
  status: "processing",
  progress: 50,
  input: "a.png",
  inputBytes: 10,
  error: null,
  errorCode: null,
  warnings: 0,
  createdAt: `2026-11-01T00:00:0${id}.000Z`,
  startedAt: null,
  completedAt: null,
  ...values,
});
const live = (...jobs: JobSummary[]) => new Map(jobs.map((one) => [one.id, one]));

it.each([
  ["takes newer progress", { progress: 70 }, { progress: 70 }],
  ["takes a final status", { status: "failed", progress: 20 }, { status: "failed" }],
  ["ignores older progress", { progress: 20 }, { progress: 50 }],
  ["ignores an older status", { status: "pending", progress: 0 }, { status: "processing" }],
] as const)("a job in the list %s", (_what, change, expected) => {
  expect(mergeJobs([job("1")], live(job("1", change)))).toMatchObject([expected]);
});

it("accepted new jobs come first, and the oldest jobs are dropped", () => {
  const changed = live(job("3"), job("4", { operation: "audio/convert" }));
  const admit = ({ operation }: JobSummary) => operation === "image/sharpen";
  const merged = mergeJobs([job("2"), job("1")], changed, { includeNew: admit, limit: 2 });
  expect(merged.map(({ id }) => id)).toEqual(["3", "2"]);
});

it("new jobs are not added by default", () => {
  expect(mergeJobs([job("1")], live(job("2"))).map(({ id }) => id)).toEqual(["1"]);
});
