import { correct } from "#lib/typos/edit-distance.ts";
import { splitWords, stemOf } from "./words.ts";

/** Weights of the words that a word of a query stands for. */
const weights = { exact: 1, start: 0.6, unfinished: 0.3, corrected: 0.5 } as const;

/** The stems that a word of a query stands for, with their weights from 0 to 1. */
export type Expansion = ReadonlyMap<string, number>;

/** The words of all entries. */
export interface Vocabulary {
  readonly has: (word: string) => boolean;
  /** The words of the query, with those joined that are one word here, and those split that are two. */
  readonly regroup: (words: readonly string[]) => string[];
  readonly expand: (word: string, isLast: boolean) => Expansion;
}

/** @param titles the words of names, which typing errors are corrected to first */
export function createVocabulary(texts: Iterable<string>, titles: Iterable<string>): Vocabulary {
  const named = new Set([...titles].flatMap(splitWords));
  const all = new Set([...named, ...[...texts].flatMap(splitWords)]);
  const stems = new Set([...all].map(stemOf));
  const has = (word: string) => all.has(word) || stems.has(stemOf(word));
  const startsOne = (word: string) => all.values().some((one) => one.startsWith(word));

  function regroup(words: readonly string[]): string[] {
    const joined: string[] = [];
    for (let at = 0; at < words.length; at++) {
      const word = words[at] ?? "";
      const both = `${word}${words[at + 1] ?? ""}`;
      if (at + 1 < words.length && has(both) && !(all.has(word) && all.has(words[at + 1] ?? ""))) {
        joined.push(both);
        at++;
      } else joined.push(word);
    }
    return joined.flatMap((word) => (has(word) || startsOne(word) ? [word] : split(word)));
  }

  /** `apikey` is "api key". */
  function split(word: string): string[] {
    for (let at = word.length - 3; at >= 3; at--) {
      const halves = [word.slice(0, at), word.slice(at)];
      if (halves.every((half) => all.has(half))) return halves;
    }
    return [word];
  }

  function expand(word: string, isLast: boolean): Expansion {
    const found = new Map<string, number>();
    const add = (stem: string, weight: number) =>
      found.set(stem, Math.max(weight, found.get(stem) ?? 0));
    const stem = stemOf(word);
    const isExact = stems.has(stem);
    if (isExact) add(stem, weights.exact);
    if (isLast || (!isExact && word.length >= 3)) {
      const weight = isExact ? weights.unfinished : weights.start;
      for (const one of all) if (one.startsWith(word)) add(stemOf(one), weight);
    }
    if (found.size > 0) return found;
    const corrected = correct(word, named);
    for (const one of corrected.length > 0 ? corrected : correct(word, all)) {
      add(stemOf(one), weights.corrected);
    }
    return found;
  }

  return { has, regroup, expand };
}
