import { describe, expect, it } from "vitest";
import { checkEntityTag, hasEntityTag } from "#lib/net/entity-tags.ts";

describe("a list of ETags", () => {
  it.each([
    ['"a"', true, true],
    ['"b" , "a"', true, true],
    ['"b","a",', true, true],
    ['W/"a"', true, false],
    ['W/"b", W/"a"', true, false],
    [" * ", true, true],
    ['"b"', false, false],
    ['"b,", ",a"', false, false],
    ["a", false, false],
    ['"ab"', false, false],
    ['"*"', false, false],
    ["", false, false],
  ])("%s", (list, isInWeak, isInStrong) => {
    expect(hasEntityTag(list, '"a"', { weak: true })).toBe(isInWeak);
    expect(hasEntityTag(list, '"a"', { weak: false })).toBe(isInStrong);
  });

  it("may have a value with commas", () => {
    expect(hasEntityTag('"x", "a,b"', '"a,b"', { weak: true })).toBe(true);
    expect(hasEntityTag('"x,"a",y"', '"a"', { weak: true })).toBe(false);
  });

  it("of 100,000 parts is read in linear time", () => {
    expect(hasEntityTag('" ,'.repeat(100_000), '"a"', { weak: true })).toBe(false);
  });
});

it.each([
  [{}, "send"],
  [{ "if-none-match": '"b"' }, "send"],
  [{ "if-none-match": 'W/"a"' }, "unchanged"],
  [{ "if-match": '"a"' }, "send"],
  [{ "if-match": "*" }, "send"],
  [{ "if-match": 'W/"a"' }, "failed"],
  [{ "if-match": '"b"', "if-none-match": '"a"' }, "failed"],
  [{ "if-match": '"a"', "if-none-match": '"a"' }, "unchanged"],
])("the conditions %j mean %s", (headers: Record<string, string>, checked) => {
  expect(checkEntityTag((name) => headers[name], '"a"')).toBe(checked);
});
