import { describe, expect, it } from "vitest";
import { isFiltered, jobsUrl, parsePosition } from "#components/jobs/list/filters.ts";
import { rangeBetween } from "#components/jobs/list/selection-range.ts";
import { matchesFilters, parseFilters, toJobFilter } from "#lib/jobs/view/job-filters.ts";
import type { JobSummary } from "#lib/jobs/view/summary.ts";

const job24 = `job_${"0".repeat(24)}`;
const none = parseFilters({});

const job: JobSummary = {
  id: "job_0VbZ",
  operation: "image/sharpen",
  status: "failed",
  progress: 0,
  input: "Photo.JPG",
  inputBytes: null,
  error: "The file has no image.",
  errorCode: "corrupt",
  warnings: 0,
  createdAt: "2026-11-21T00:00:00.000Z",
  startedAt: null,
  completedAt: null,
};

describe("the URL of the job list", () => {
  it("keeps every filter and the page", () => {
    const query = {
      q: "photo 1.jpg",
      status: "failed",
      operation: "image/sharpen",
      error_code: "corrupt",
      key: `key_${"0".repeat(24)}`,
      metadata: "order=10=42",
      created_after: "2026-11-01",
      created_before: "2026-12-01",
    };
    const url = jobsUrl(parseFilters(query), { starting_after: job24 });
    const read = Object.fromEntries(new URL(url, "http://host").searchParams);
    expect(parseFilters(read)).toEqual(query);
    expect(parsePosition(read)).toEqual({ starting_after: job24 });
    expect(toJobFilter(parseFilters(read)).metadata).toEqual({ order: "10=42" });
  });

  it.each([
    ["status", "done"],
    ["operation", "<script>"],
    ["q", "a\0b"],
    ["created_after", "yesterday"],
    ["created_before", "2026-13-45"],
    ["created_after", "2026-02-30"],
    ["created_before", "0000-01-01"],
    ["status", ["failed", "pending"]],
    ["error_code", "none"],
    ["key", "key_1"],
    ["metadata", "order"],
  ])("ignores %s=%s", (name, value) => {
    expect(parseFilters({ [name]: value })).toEqual(none);
  });

  it.each([{}, { starting_after: "job_1" }, { ending_before: ["a", "b"] }, { page: "2" }])(
    "has no position for %o",
    (query) => {
      expect(parsePosition(query)).toEqual({});
    },
  );

  it("has no query without filters", () => {
    expect(jobsUrl(parseFilters({}))).toBe("/dashboard/jobs");
    expect(isFiltered(parseFilters({}))).toBe(false);
  });
});

it("selects the rows between two, in either direction", () => {
  const ids = ["a", "b", "c", "d"];
  expect(rangeBetween(ids, "d", "b")).toEqual(["b", "c", "d"]);
  expect(rangeBetween(ids, "a", "b")).toEqual(["a", "b"]);
  expect(rangeBetween(ids, undefined, "c")).toEqual(["c"]);
  expect(rangeBetween(ids, "gone", "c")).toEqual(["c"]);
});

describe("a new job", () => {
  it.each([
    [{}, true],
    [{ status: "failed" }, true],
    [{ status: "completed" }, false],
    [{ q: "job_0Vb" }, true],
    [{ q: "job_1" }, false],
    [{ q: "photo" }, true],
    [{ q: "video" }, false],
    [{ q: "NO IMAGE" }, true],
    [{ operation: "image/sharpen" }, true],
    [{ operation: "image/watermark-text" }, false],
    // Of links and views that were saved when these were fields.
    [{ filename: "photo" }, true],
    [{ id: "job_1" }, false],
    [{ error_code: "corrupt" }, true],
    [{ error_code: "empty" }, false],
    [{ metadata: "order=1" }, false],
    [{ created_after: "2026-11-21" }, true],
    [{ created_after: "2026-11-22" }, false],
    [{ created_before: "2026-11-22" }, true],
    [{ created_before: "2026-11-21" }, false],
  ])("matches %o: %s", (query, expected) => {
    expect(matchesFilters(parseFilters(query), job)).toBe(expected);
  });
});
