import { expect, it } from "vitest";
import {
  compileMatchers,
  findRanges,
  matchPage,
} from "#lib/operations/document/redact/find-matches.ts";

/** The parts of `text` that are found for `searched`. */
function find(text: string, searched: string): string[] {
  const matchers = compileMatchers({ texts: [searched], patterns: [], regions: [] });
  return findRanges(text, matchers).map(([start, end]) => text.slice(start, end));
}

const printable = Array.from({ length: 0x7f - 0x21 }, (_, index) =>
  String.fromCharCode(0x21 + index),
);

it.each(printable)("a text with %s matches itself only", (character) => {
  const searched = `47${character}11 ${character}`;
  expect(find(`a ${searched} b`, searched)).toEqual([searched]);
  const other = character === "~" ? "!" : "~";
  expect(find(`a 47${other}11 ${other} b`, searched)).toEqual([]);
});

it("a text matches across lines and in another case", () => {
  expect(find("4711-xyz,\nStraße", "4711-XYZ, straße")).toEqual(["4711-xyz,\nStraße"]);
});

it.each([
  ["apart", 11, 1],
  ["touching", 10, 2],
])("a match may cross words that touch, not words that are %s", (_name, left, count) => {
  const word = (text: string, from: number) => ({
    text,
    box: { left: from, top: 0, width: 10, height: 10 },
  });
  const matchers = compileMatchers({ texts: ["abcd", "ab"], patterns: [], regions: [] });
  const words = [word("ab", 0), word("cd", left + 0.5)];
  expect(matchPage(words, matchers)).toHaveLength(count);
});
