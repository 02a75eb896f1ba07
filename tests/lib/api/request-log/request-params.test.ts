import { describe, expect, it } from "vitest";
import { isComplete, summarizeParams } from "#lib/api/request-log/request-params.ts";

const url = new URL("http://localhost/v1/image/resize");

function summarizeJson(fields: Record<string, unknown>) {
  return summarizeParams(url, { encoding: "json", fields }).fields;
}

describe("secrets of a request are not kept", () => {
  it.each([
    ["a secret parameter", { password: "hunter2" }, { password: "***" }],
    ["headers of a page", { headers: { Cookie: "a=hunter2" } }, { headers: "***" }],
    ["a misspelled one", { user_passwords: ["hunter2"] }, { user_passwords: "***" }],
    [
      "one in a chain",
      { operations: [{ type: "document/encrypt", params: { password: "hunter2" } }] },
      { operations: [{ type: "document/encrypt", params: { password: "***" } }] },
    ],
    [
      "user info and query of a URL",
      { input: "https://me:hunter2@example.com/a.png?sig=hunter2#hunter2" },
      { input: "https://example.com/a.png?sig=" },
    ],
    ["JSON as text", { operations: '[{"params":{"cookies":"hunter2"}}]' }, { operations: "***" }],
    [
      "an API key for development",
      { text: `key=mm_test_${"a".repeat(36)}` },
      { text: "key=mm_test_***" },
    ],
    ["an API key", { text: `key mm_live_${"a".repeat(36)}.` }, { text: "key mm_live_***." }],
  ])("%s", (_name, fields, expected) => {
    expect(summarizeJson(fields)).toEqual(expected);
  });

  it("a chain in a form, as JSON or as text that is not JSON", () => {
    const operations = JSON.stringify([{ type: "x", params: { password: "hunter2" } }]);
    const broken = operations.slice(0, -1);
    const { fields } = summarizeParams(url, {
      encoding: "multipart",
      fields: { operations, broken, text: "[Draft]", long: `${operations}${" ".repeat(50_000)}` },
    });
    expect(fields).toEqual({
      operations: [{ type: "x", params: { password: "***" } }],
      broken: "***",
      long: "***",
      text: "[Draft]",
    });
  });

  it("fields of the query", () => {
    const given = new URL(
      "http://localhost/v1/jobs?limit=5&metadata[token]=hunter2&api_key=hunter2",
    );
    expect(summarizeParams(given, undefined)).toEqual({
      query: { limit: "5", "metadata[token]": "***", api_key: "***" },
    });
  });
});

it("keeps what PostgreSQL can store, of a bounded size", () => {
  let nested: unknown = "deep";
  for (let depth = 0; depth < 100; depth++) nested = { nested };
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, index]));
  const fields = {
    "nul\0": "a\0b\ud800",
    long: "x".repeat(5000),
    nested,
    many,
    texts: Array.from({ length: 50 }, () => "y".repeat(900)),
  };
  const kept = JSON.stringify(summarizeJson(fields));
  expect(kept.length).toBeLessThan(12_000);
  expect(kept).not.toMatch(/\\u0000|\\ud800/);
  expect(summarizeJson(fields)).toMatchObject({ "nul�": "a�b�" });
});

it("a truncated or hidden value is not complete", () => {
  const kept = summarizeJson({ long: "x".repeat(5000), password: "a", list: [1, { a: "b" }] });
  expect(Object.values(kept ?? {}).map(isComplete)).toEqual([false, false, true]);
});
