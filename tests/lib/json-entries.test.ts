import { expect, it } from "vitest";
import { countJsonEntries, countJsonValues } from "#lib/json-entries.ts";

it.each([
  ["1", 0],
  ["[]", 1],
  ['{"a": 1, "b": [{}, []]}', 6],
  [String.raw`{"a: {\": [": ":"}`, 2],
  [String.raw`["\\", {}]`, 2],
])("%s has %i fields, objects and lists", (json, count) => {
  expect(countJsonEntries(json)).toBe(count);
});

it.each([
  ["1", 1],
  ["[1, 2]", 3],
  ['{"a": 1, "b": [{}, []], "c": ","}', 8],
])("%s has at most %i values", (json, count) => {
  expect(countJsonValues(json)).toBe(count);
});

it("1 MiB of nested objects is counted in linear time", () => {
  const startedAt = performance.now();
  expect(countJsonEntries('{"":'.repeat(2 ** 18))).toBe(2 ** 19);
  // Linear time is milliseconds, quadratic time is minutes.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
