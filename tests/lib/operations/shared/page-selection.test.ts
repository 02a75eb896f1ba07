import { describe, expect, it } from "vitest";
import {
  indexesOf,
  orderPages,
  parsePageSelection,
  resolveRanges,
  selectPages,
} from "#lib/operations/shared/pdf/page-selection.ts";

/** Page numbers, as readers count. */
const select = (text: string, pages: number) => selectPages(text, pages).map((index) => index + 1);

const resolve = (...list: Parameters<typeof resolveRanges>) =>
  resolveRanges(...list).map(indexesOf);

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
  expect(resolve("r2-last,odd,even,2-3,2", 5, "parts")).toEqual([
    [3, 4],
    [0, 2, 4],
    [1, 3],
    [1, 2],
    [1],
  ]);
  expect(resolve("3-r2", 3, "parts")).toEqual([[]]);
  expect(parsePageSelection("1-3,!2", "parts")).toBeUndefined();
  expect(parsePageSelection("3-1", "parts")).toBeUndefined();
});

it("an order goes up and down", () => {
  expect(resolve("r1-r3,2-1,even", 5, "order")).toEqual([
    [4, 3, 2],
    [1, 0],
    [1, 3],
  ]);
  expect(resolve("3-r3,9-2,7-last", 3, "order")).toEqual([[2, 1, 0], [2, 1], []]);
  expect(parsePageSelection("3-1,!2", "order")).toBeUndefined();
});

it("an order of all pages has each once", () => {
  expect(orderPages("last,2-1,1-2", 5)).toEqual([4, 1, 0, 2, 3]);
  expect(orderPages("even", 3)).toEqual([1, 0, 2]);
  expect(() => orderPages("4-", 3)).toThrow(
    expect.objectContaining({ code: "empty", message: expect.stringContaining("`order`") }),
  );
});

describe("of the longest lists", () => {
  const pages = 100_000;

  it.each(["1-,", "!1-,1-,", "odd,even,", "1-99999,!2-,"])(
    "%s is resolved at once in the largest document",
    (item) => {
      const text = item.repeat(2000 / item.length).slice(0, -1);
      const start = performance.now();
      const indexes = selectPages(text, pages);
      expect(performance.now() - start).toBeLessThan(500);
      expect([1, pages]).toContain(indexes.length);
    },
  );

  it("parts take no memory, and an order only that of the pages", () => {
    const list = Array(666).fill("1-").join(",");
    expect(resolveRanges(list, pages, "parts")).toEqual(
      Array(666).fill({ first: 0, step: 1, count: pages }),
    );
    const start = performance.now();
    expect(orderPages(list, pages)).toHaveLength(pages);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it("more pages than a document may have are refused, also if one is selected", () => {
    const error = { code: "too_complex", message: "PDF files may have at most 100,000 pages." };
    for (const text of [undefined, "1", "1-"]) {
      expect(() => selectPages(text, pages + 1)).toThrow(expect.objectContaining(error));
    }
    expect(() => orderPages("1-", 1e12)).toThrow(expect.objectContaining(error));
  });
});
