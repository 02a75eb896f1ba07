import { expect, it } from "vitest";
import { compileMatchers, findRanges } from "#lib/operations/document/redact/find-matches.ts";

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
