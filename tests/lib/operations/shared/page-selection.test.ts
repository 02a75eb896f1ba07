import { describe, expect, it } from "vitest";
import {
  parsePageSelection,
  resolveRanges,
  selectPages,
} from "#lib/operations/shared/pdf/page-selection.ts";

/** Page numbers, as readers count. */
const select = (text: string, pages: number) => selectPages(text, pages).map((index) => index + 1);

describe("a set of pages", () => {
  it.each([
    ["2,4", 7, [2, 4]],
    ["5, 1-2", 7, [1, 2, 5]],
    ["6-", 7, [6, 7]],
    ["6-99", 7, [6, 7]],
    ["last", 7, [7]],
    ["odd", 7, [1, 3, 5, 7]],
    ["even", 7, [2, 4, 6]],
    ["odd", 1, [1]],
    ["even,3", 7, [2, 3, 4, 6]],
    ["r1", 7, [7]],
    ["r2", 7, [6]],
    ["r3-last", 7, [5, 6, 7]],
    ["r3-r2", 7, [5, 6]],
    ["2-r2", 7, [2, 3, 4, 5, 6]],
    ["1-last,!4", 7, [1, 2, 3, 5, 6, 7]],
    ["1-5,!3,3", 7, [1, 2, 3, 4, 5]],
    ["!3,1-5", 7, [1, 2, 3, 4, 5]],
    ["1-last,!r3-last", 7, [1, 2, 3, 4]],
    ["odd,!3", 7, [1, 5, 7]],
    ["!3,odd", 7, [1, 5, 7]],
    ["!4", 7, [1, 2, 3, 5, 6, 7]],
    ["!1,!last", 4, [2, 3]],
    // A range with a page that is not there, counted from the other end, is none.
    ["1,r4-last", 3, [1]],
    ["1,3-r2", 3, [1]],
    ["1,1-r4", 3, [1]],
  ])("%s of %d pages", (text, pages, expected) => {
    expect(select(text, pages)).toEqual(expected);
  });

  it.each([
    ["8-last", 7],
    ["r4", 3],
    ["even", 1],
    ["1-2,!1-2", 2],
    ["!1-last", 2],
  ])("without any page fails: %s of %d pages", (text, pages) => {
    expect(() => selectPages(text, pages)).toThrow(
      expect.objectContaining({ code: "empty", message: expect.stringContaining("`pages`") }),
    );
  });

  it.each([
    "",
    ",",
    "1,",
    "0",
    "r0",
    "3-1",
    "last-1",
    "r2-5",
    "r1-r2",
    "!odd",
    "!!2",
    "!",
    "r",
    "n2",
    "1-odd",
    "Odd",
    "100001",
  ])("is not %j", (text) => {
    expect(parsePageSelection(text)).toBeUndefined();
  });
});

it("parts are one list for each item, in the order of the text", () => {
  expect(resolveRanges("r2-last,odd,even,2-3,2", 5, "parts")).toEqual([
    [3, 4],
    [0, 2, 4],
    [1, 3],
    [1, 2],
    [1],
  ]);
  expect(resolveRanges("3-r2", 3, "parts")).toEqual([[]]);
  expect(parsePageSelection("1-3,!2", "parts")).toBeUndefined();
  expect(parsePageSelection("3-1", "parts")).toBeUndefined();
});

it("an order goes up and down", () => {
  expect(resolveRanges("r1-r3,2-1,even", 5, "order")).toEqual([
    [4, 3, 2],
    [1, 0],
    [1, 3],
  ]);
  expect(resolveRanges("3-r3,9-2,7-last", 3, "order")).toEqual([[2, 1, 0], [2, 1], []]);
  expect(parsePageSelection("3-1,!2", "order")).toBeUndefined();
});
