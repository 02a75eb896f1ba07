import { expect, it } from "vitest";
import { describeLeft, estimateLeft } from "#components/jobs/timeline/estimate-left.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";

const start = Date.parse("2026-11-26T12:00:00Z");

function detailsOf(status: string, to: string | null = null) {
  const phases = [
    { name: "queued", from: "2026-11-26T11:59:00Z", to: "2026-11-26T12:00:00Z" },
    { name: "working", from: "2026-11-26T12:00:00Z", to },
  ];
  return { job: { status }, phases } as unknown as JobDetails;
}

it("the time left follows from the speed of the engine, and falls with the clock", () => {
  const reported = { percent: 20, at: start + 60_000 };
  expect(estimateLeft(detailsOf("processing"), reported, start + 60_000)).toBe(240_000);
  expect(estimateLeft(detailsOf("processing"), reported, start + 70_000)).toBe(230_000);
});

it.each([
  ["too little is done", "processing", { percent: 1, at: start + 60_000 }, null],
  ["it has just started", "processing", { percent: 50, at: start + 1000 }, null],
  ["it is nearly done", "processing", { percent: 99, at: start + 60_000 }, null],
  ["it waits", "pending", { percent: 20, at: start + 60_000 }, null],
  ["it stores", "processing", { percent: 20, at: start + 60_000 }, "2026-11-26T12:01:00Z"],
])("there is no estimate while %s", (_case, status, reported, to) => {
  expect(estimateLeft(detailsOf(status, to), reported, reported.at)).toBeUndefined();
});

it.each([
  [2500, "about 5 s left"],
  [41_000, "about 45 s left"],
  [20.4 * 60_000, "about 20 min left"],
  [97 * 60_000, "about 1 h 35 min left"],
])("%d ms are %s", (ms, text) => {
  expect(describeLeft(ms)).toBe(text);
});
