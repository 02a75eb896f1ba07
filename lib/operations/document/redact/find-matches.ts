import type { PageBox } from "#lib/formats/pdf/structure/page-boxes.ts";
import { toReadingOrder, type Word } from "#lib/formats/pdf/text/reading-order.ts";
import { decodeEntities } from "../../shared/pdf/packet.ts";

/** Finds text on the pages of a PDF, as poppler's pdftotext reports its words. */

export interface RedactionOptions {
  readonly texts: readonly string[];
  readonly patterns: readonly string[];
  readonly regions: readonly (PageBox & { readonly page?: number | undefined })[];
}

/** A part of a word: characters `from` to `to`, without `to`. */
export interface MatchedWord {
  readonly word: Word;
  readonly from: number;
  readonly to: number;
}

/** One expression for each text, which ignores case and the kind of white space, and each pattern. */
export function compileMatchers({ texts, patterns }: RedactionOptions): RegExp[] {
  const words = (text: string) =>
    text.normalize("NFC").trim().split(/\s+/).map(RegExp.escape).join("\\s+");
  return [
    ...texts.map((text) => new RegExp(words(text), "giu")),
    ...patterns.map((pattern) => new RegExp(pattern, "gu")),
  ];
}

const maxMatches = 100_000;

/** The positions of all matches; an expression that matches nothing at a position is skipped there. */
export function findRanges(
  text: string,
  matchers: readonly RegExp[],
): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  for (const matcher of matchers) {
    for (const match of text.matchAll(matcher)) {
      if (match[0].trim() === "") continue;
      ranges.push([match.index, match.index + match[0].length]);
      if (ranges.length > maxMatches) throw new Error("too many matches");
    }
  }
  return ranges;
}

/** Finds for each page the matched parts of its words, one list for each match. */
export function matchPage(words: readonly Word[], matchers: readonly RegExp[]): MatchedWord[][] {
  const starts: number[] = [];
  let joined = "";
  for (const { text } of words) {
    starts.push(joined.length);
    joined += `${text} `;
  }
  return findRanges(joined, matchers).map(([start, end]) =>
    words.flatMap((word, index) => {
      const at = starts[index] ?? 0;
      const from = Math.max(start, at) - at;
      const to = Math.min(end, at + word.text.length) - at;
      return from < to ? { word, from, to } : [];
    }),
  );
}

/**
 * Parses the output of `pdftotext -bbox`: for each page its words in the order in which they are read, in
 * points from its top left.
 */
export function parseWords(xml: string): Word[][] {
  const pattern =
    /<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">([^<]*)<\/word>/g;
  return xml
    .split(/<page /)
    .slice(1)
    .map((page) => {
      const words = [...page.matchAll(pattern)].map((match) => {
        const [left = 0, top = 0, right = 0, bottom = 0] = match.slice(1, 5).map(Number);
        const text = decodeEntities(match[5] ?? "");
        const box = { left, top, width: right - left, height: bottom - top };
        return { text: text.normalize("NFC"), box };
      });
      return toReadingOrder(words);
    });
}
