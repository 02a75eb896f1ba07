import { describe, expect, it } from "vitest";
import {
  isRequestFilter,
  parseRequestQuery,
  requestsUrl,
  toRequestFilter,
} from "#components/requests/request-filters.ts";

describe("the URL of the request log", () => {
  it("keeps every filter", () => {
    const query = {
      path: "POST /v1/image",
      status: "4xx",
      key: `key_${"0".repeat(24)}`,
      id: `job_${"0".repeat(24)}`,
      created_after: "2026-11-01",
      created_before: "2026-12-01",
      from: `req_${"0".repeat(24)}`,
      to: `req_${"1".repeat(24)}`,
    };
    const url = requestsUrl(parseRequestQuery(query));
    const read = Object.fromEntries(new URL(url, "http://host").searchParams);
    expect(parseRequestQuery(read)).toEqual(query);
    expect(toRequestFilter(parseRequestQuery(read))).toMatchObject({
      statusClass: 4,
      createdAfter: new Date("2026-11-01T00:00:00Z"),
    });
  });

  it.each([
    ["path", "a\0b"],
    ["path", ["a", "b"]],
    ["status", "done"],
    ["key", "key_1"],
    ["created_after", "11/29/2026"],
    ["created_after", "2026"],
    ["created_before", "0000-01-01"],
    ["from", "req_1"],
  ])("ignores %s=%s", (name, value) => {
    expect(isRequestFilter(parseRequestQuery({ [name]: value }))).toBe(false);
  });
});
