import { describe, expect, it } from "vitest";
import {
  isFiltered,
  listAddress,
  passes,
  readFilters,
  readPage,
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

describe("an address", () => {
  it("keeps every filter and the page", () => {
    const query = {
      id: "job_0V",
      status: "failed",
      operation: "image/sharpen",
      created_after: "2026-11-01",
      created_before: "2026-12-01",
    };
    const address = listAddress(readFilters(query), 3);
    const read = Object.fromEntries(new URL(address, "http://host").searchParams);
    expect(readFilters(read)).toEqual(query);
    expect(readPage(read)).toBe(3);
  });

  it.each([
    ["status", "done"],
    ["operation", "<script>"],
    ["id", "job_' or 1=1"],
    ["created_after", "yesterday"],
    ["created_before", "2026-13-45"],
    ["status", ["failed", "pending"]],
  ])("narrows nothing by %s=%s", (name, value) => {
    expect(readFilters({ [name]: value })).toEqual(none);
  });

  it.each([undefined, "0", "-1", "x", "1e9", ["2"]])("has no page %s", (page) => {
    expect(readPage({ page })).toBe(1);
  });

  it("is bare without filters", () => {
    expect(listAddress(readFilters({}))).toBe("/dashboard/jobs");
    expect(isFiltered(readFilters({}))).toBe(false);
  });
});

describe("a job that arrives", () => {
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
  ])("passes %o: %s", (query, expected) => {
    expect(passes(readFilters(query), job)).toBe(expected);
  });
});
