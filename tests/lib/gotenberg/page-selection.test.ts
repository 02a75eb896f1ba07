import { expect, it } from "vitest";
import { toSelection } from "#lib/gotenberg/plan/page-selection.ts";
import { selectPages } from "#lib/operations/shared/pdf/page-selection.ts";

/** What pdfcpu 0.15 selects of seven pages, and of three. */
it.each([
  ["1-3", [1, 2, 3], [1, 2, 3]],
  ["5,1-2", [1, 2, 5], [1, 2]],
  ["3-", [3, 4, 5, 6, 7], [3]],
  ["-3", [1, 2, 3], [1, 2, 3]],
  ["-9", [1, 2, 3, 4, 5, 6, 7], [1, 2, 3]],
  ["l", [7], [3]],
  ["-l", [1, 2, 3, 4, 5, 6, 7], [1, 2, 3]],
  ["3-l", [3, 4, 5, 6, 7], [3]],
  ["l-0", [7], [3]],
  ["l-1", [6], [2]],
  ["l-3", [4], []],
  ["l-3-", [4, 5, 6, 7], []],
  ["l-2-", [5, 6, 7], [1, 2, 3]],
  ["-l-1", [1, 2, 3, 4, 5, 6], [1, 2]],
  ["2-l-1", [2, 3, 4, 5, 6], [2]],
  ["2-l-5", [2], []],
  ["odd", [1, 3, 5, 7], [1, 3]],
  ["even", [2, 4, 6], [2]],
  ["odd,!3", [1, 5, 7], [1]],
  ["!3,odd", [1, 5, 7], [1]],
  ["even,3", [2, 3, 4, 6], [2, 3]],
  ["odd,even", [1, 2, 3, 4, 5, 6, 7], [1, 2, 3]],
  ["1-,!4", [1, 2, 3, 5, 6, 7], [1, 2, 3]],
  ["1-,n4", [1, 2, 3, 5, 6, 7], [1, 2, 3]],
  ["!3,1-5", [1, 2, 3, 4, 5], [1, 2, 3]],
  ["1-5,!3,3", [1, 2, 3, 4, 5], [1, 2, 3]],
  ["!2-4,odd", [1, 5, 7], [1]],
  ["-5,!-2", [3, 4, 5], [3]],
  ["1-,!l", [1, 2, 3, 4, 5, 6], [1, 2]],
  ["1-,nl", [1, 2, 3, 4, 5, 6], [1, 2]],
  ["1-,!l-2-", [1, 2, 3, 4], []],
  ["1-,n5-", [1, 2, 3, 4], [1, 2, 3]],
])("%s", (text, ofSeven, ofThree) => {
  const select = (pages: number) => {
    try {
      return selectPages(toSelection(text), pages).map((index) => index + 1);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "empty") return [];
      throw error;
    }
  };
  expect([select(7), select(3)]).toEqual([ofSeven, ofThree]);
});

it("the last page has the names of the other engines, too", () => {
  expect(toSelection("2-z, end,r2")).toBe("2-last,last,r2");
});

it.each(["", "a", "1,", "0", "!odd", "nodd", "3--1", "l3", "2-l-"])("%j is an error", (text) => {
  expect(() => toSelection(text)).toThrow("expected page numbers and ranges");
});
