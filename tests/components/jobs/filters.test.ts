import { describe, expect, it } from "vitest";
import {
  isFiltered,
  jobsUrl,
  matchesFilters,
  parseFilters,
  parsePage,
} from "#components/jobs/filters.ts";
import type { JobSummary } from "#lib/jobs/view/summary.ts";

const none = { id: "", status: "", operation: "", created_after: "", created_before: "" };

const job: JobSummary = {
  id: "job_0VbZ",
  operation: "image/sharpen",
  status: "failed",
  progress: 0,
  input: null,
  inputBytes: null,
  error: null,
  errorCode: null,
  createdAt: "2026-11-21T00:00:00.000Z",
  startedAt: null,
  completedAt: null,
};

describe("the URL of the job list", () => {
  it("keeps every filter and the page", () => {
    const query = {
      id: "job_0V",
      status: "failed",
      operation: "image/sharpen",
      created_after: "2026-11-01",
      created_before: "2026-12-01",
    };
    const url = jobsUrl(parseFilters(query), 3);
    const read = Object.fromEntries(new URL(url, "http://host").searchParams);
    expect(parseFilters(read)).toEqual(query);
    expect(parsePage(read)).toBe(3);
  });

  it.each([
    ["status", "done"],
    ["operation", "<script>"],
    ["id", "job_' or 1=1"],
    ["created_after", "yesterday"],
    ["created_before", "2026-13-45"],
    ["status", ["failed", "pending"]],
  ])("ignores %s=%s", (name, value) => {
    expect(parseFilters({ [name]: value })).toEqual(none);
  });

  it.each([undefined, "0", "-1", "x", "1e9", ["2"]])(
    "has page 1 for the invalid page %s",
    (page) => {
      expect(parsePage({ page })).toBe(1);
    },
  );

  it("has no query without filters", () => {
    expect(jobsUrl(parseFilters({}))).toBe("/dashboard/jobs");
    expect(isFiltered(parseFilters({}))).toBe(false);
  });
});

describe("a new job", () => {
  it.each([
    [{}, true],
    [{ status: "failed" }, true],
    [{ status: "completed" }, false],
    [{ id: "job_0Vb" }, true],
    [{ id: "job_1" }, false],
    [{ operation: "image/sharpen" }, true],
    [{ operation: "image/watermark-text" }, false],
    [{ created_after: "2026-11-21" }, true],
    [{ created_after: "2026-11-22" }, false],
    [{ created_before: "2026-11-22" }, true],
    [{ created_before: "2026-11-21" }, false],
  ])("matches %o: %s", (query, expected) => {
    expect(matchesFilters(parseFilters(query), job)).toBe(expected);
  });
});
