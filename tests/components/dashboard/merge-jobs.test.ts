import { expect, it } from "vitest";
import { mergeJobs } from "#components/dashboard/merge-jobs.ts";
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
  createdAt: `2026-11-01T00:00:0${id}.000Z`,
  startedAt: null,
  completedAt: null,
  ...values,
});
const live = (...jobs: JobSummary[]) => new Map(jobs.map((one) => [one.id, one]));

it.each([
  ["progress", { progress: 70 }, { progress: 70 }],
  ["the end", { status: "failed", progress: 20 }, { status: "failed" }],
  ["no step back in progress", { progress: 20 }, { progress: 50 }],
  ["no step back in state", { status: "pending", progress: 0 }, { status: "processing" }],
] as const)("a shown job takes on %s", (_what, change, expected) => {
  expect(mergeJobs([job("1")], live(job("1", change)))).toMatchObject([expected]);
});

it("jobs that are new come first, where they are admitted, and push out the oldest", () => {
  const changed = live(job("3"), job("4", { operation: "audio/convert" }));
  const admit = ({ operation }: JobSummary) => operation === "image/sharpen";
  const merged = mergeJobs([job("2"), job("1")], changed, { admit, limit: 2 });
  expect(merged.map(({ id }) => id)).toEqual(["3", "2"]);
});

it("without a word on admission a list stays as long as it is", () => {
  expect(mergeJobs([job("1")], live(job("2"))).map(({ id }) => id)).toEqual(["1"]);
});
