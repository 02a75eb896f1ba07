import { expect, it } from "vitest";
import { describeDays, formatChange, jobsHref, parseRange } from "#components/usage/range.ts";

const now = new Date("2026-11-23T10:00:00Z");

it.each([
  [{}, "30d", "2026-10-25", "2026-11-24", "2026-09-25", "2026-10-25"],
  [{ range: "today" }, "today", "2026-11-23", "2026-11-24", "2026-11-22", "2026-11-23"],
  [{ range: "7d" }, "7d", "2026-11-17", "2026-11-24", "2026-11-10", "2026-11-17"],
  [{ range: "month" }, "month", "2026-11-01", "2026-11-24", "2026-10-01", "2026-10-24"],
  [
    { from: "2026-11-03", to: "2026-11-04" },
    "custom",
    "2026-11-03",
    "2026-11-05",
    "2026-11-01",
    "2026-11-03",
  ],
  // Reversed, too long, and no days at all.
  [
    { from: "2026-11-04", to: "2026-11-03" },
    "30d",
    "2026-10-25",
    "2026-11-24",
    "2026-09-25",
    "2026-10-25",
  ],
  [
    { from: "2020-01-01", to: "2026-11-03" },
    "30d",
    "2026-10-25",
    "2026-11-24",
    "2026-09-25",
    "2026-10-25",
  ],
  [
    { from: "0000-01-01", to: "0000-01-05" },
    "30d",
    "2026-10-25",
    "2026-11-24",
    "2026-09-25",
    "2026-10-25",
  ],
  [{ from: "2026-02-31x", to: "x" }, "30d", "2026-10-25", "2026-11-24", "2026-09-25", "2026-10-25"],
] as const)("the range of %o is %s", (query, name, first, end, previousFirst, previousEnd) => {
  const previous = { first: previousFirst, end: previousEnd };
  const isRejected = name === "30d" && "from" in query;
  expect(parseRange(query, now)).toEqual({ name, days: { first, end }, previous, isRejected });
});

it("this month on the 31st compares with all of a shorter month", () => {
  const { previous } = parseRange({ range: "month" }, new Date("2026-03-31T10:00:00Z"));
  expect(previous).toEqual({ first: "2026-02-01", end: "2026-03-01" });
});

it.each([
  [3, 0, undefined],
  [3, 3, "no change"],
  [3, 2, "+50%"],
  [1, 2, "−50%"],
  [100, 2, "more than 10 times"],
])("the change to %i from %i is %s", (current, before, change) => {
  expect(formatChange(current, before)).toBe(change);
});

it.each([
  ["2026-11-23", "2026-11-24", "on 23 Nov"],
  ["2026-11-01", "2026-11-24", "from 1 Nov to 23 Nov"],
  ["2025-11-24", "2026-11-24", "from 24 Nov 2025 to 23 Nov 2026"],
  ["2024-02-29", "2024-03-01", "on 29 Feb 2024"],
])("the days from %s to before %s are described as %s", (first, end, text) => {
  expect(describeDays({ first, end }, now)).toBe(text);
});

it("a group's jobs are a link to the job list with its filters", () => {
  const days = { first: "2026-11-01", end: "2026-12-01" };
  expect(jobsHref(days, { operation: "image/resize" })).toBe(
    "/dashboard/jobs?operation=image%2Fresize&created_after=2026-11-01&created_before=2026-12-01",
  );
});
