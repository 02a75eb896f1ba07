import type { PageBox } from "#lib/formats/pdf/structure/page-boxes.ts";
import { toReadingOrder, type Word } from "#lib/formats/pdf/text/reading-order.ts";
import { decodeEntities } from "../../shared/pdf/packet.ts";
import { type JoinedWords, joinWords } from "./join-words.ts";

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

/** Finds the matched parts of the words of a page, one list for each match. */
export function matchPage(words: readonly Word[], matchers: readonly RegExp[]): MatchedWord[][] {
  const matches = new Map<string, MatchedWord[]>();
  for (const joined of joinWords(words)) {
    for (const range of findRanges(joined.text, matchers)) {
      const parts = findParts(words, joined, range);
      matches.set(JSON.stringify(parts.map(({ index, from, to }) => [index, from, to])), parts);
    }
  }
  return [...matches.values()];
}

/** The parts of words in a range of their text. */
function findParts(
  words: readonly Word[],
  { places }: JoinedWords,
  [start, end]: readonly [start: number, end: number],
): (MatchedWord & { readonly index: number })[] {
  return words.flatMap((word, index) => {
    const place = places[index];
    if (!place) return [];
    const from = Math.max(start - place.start, 0);
    const last = end - place.start;
    // A hyphen at its end belongs to a match that goes on.
    const to = last > place.length ? word.text.length : last;
    return from < Math.min(last, place.length) ? [{ index, word, from, to }] : [];
  });
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
