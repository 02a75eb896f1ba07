import { DOMParser } from "@xmldom/xmldom";
import { expect, it } from "vitest";
import { writeIncidentFeed } from "#components/status/feed.ts";
import type { StatusReport } from "#lib/jobs/status/report.ts";

const report: StatusReport = {
  state: "failing",
  checks: "on",
  interval_seconds: 300,
  last_check_at: null,
  checked_since: null,
  engines: [],
  incidents: [
    {
      engine: "chromium",
      started_at: "2026-11-20T10:00:00.000Z",
      last_failed_at: "2026-11-20T10:30:00.000Z",
      is_ongoing: true,
      failed_checks: 7,
      error_code: "timed_out",
    },
    {
      engine: "pdf",
      started_at: "2026-11-19T10:00:00.000Z",
      last_failed_at: "2026-11-19T10:00:00.000Z",
      is_ongoing: false,
      failed_checks: 1,
      error_code: null,
    },
  ],
};

it("the incidents are an Atom feed", () => {
  const now = new Date("2026-11-21T00:00:00Z");
  const fail = (level: string, message: string) => {
    throw new Error(`${level}: ${message}`);
  };
  const parse = (one: StatusReport) =>
    new DOMParser({ onError: fail }).parseFromString(
      writeIncidentFeed(one, "https://media.example", now),
      "application/xml",
    );
  const feed = parse(report);
  const texts = (name: string) =>
    [...feed.getElementsByTagName(name)].map(({ textContent }) => textContent);
  expect(texts("title")).toEqual([
    "Mediamill incidents",
    "Web pages (Chromium): failing",
    "PDF: failed, and works again",
  ]);
  expect(texts("updated")[0]).toBe("2026-11-20T10:30:00.000Z");
  expect(new Set(texts("id")).size).toBe(3);
  expect(texts("content")[0]).toContain("7 checks failed");
  const empty = parse({ ...report, incidents: [] });
  expect(empty.getElementsByTagName("updated")[0]?.textContent).toBe(now.toISOString());
});
