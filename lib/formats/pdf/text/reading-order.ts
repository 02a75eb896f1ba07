import type { PageBox } from "../structure/page-boxes.ts";

/** A word of a page, as pdftotext lists it. */
export interface Word {
  readonly text: string;
  readonly box: PageBox;
}

/** Letters of Hebrew, Arabic and other scripts that are written from right to left. */
export const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/**
 * The words of a page in the order in which they are read. pdftotext lists them as they are seen, each line
 * and each word from its left.
 */
export function toReadingOrder(words: readonly Word[]): Word[] {
  return splitLines(words).flatMap((line) => {
    const backwards = line.filter(isBackwards);
    if (backwards.length === 0) return line;
    const isMostly = 2 * countLetters(backwards) >= countLetters(line);
    const ordered = isMostly
      ? reverseRuns(line.toReversed(), (word) => !isBackwards(word))
      : reverseRuns(line, isBackwards);
    return ordered.map((word) =>
      isBackwards(word) ? { ...word, text: readWord(word.text) } : word,
    );
  });
}

const isBackwards = ({ text }: Word) => rightToLeft.test(text);

const countLetters = (words: readonly Word[]) =>
  words.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0);

/** Words that follow each other from the left, at one height. */
function splitLines(words: readonly Word[]): Word[][] {
  const lines: Word[][] = [];
  for (const word of words) {
    const line = lines.at(-1);
    const last = line?.at(-1);
    if (last && isNext(last, word)) line?.push(word);
    else lines.push([word]);
  }
  return lines;
}

function isNext({ box: last }: Word, { box }: Word): boolean {
  const distance = Math.abs(box.top + box.height / 2 - last.top - last.height / 2);
  return distance < Math.min(box.height, last.height) / 2 && box.left > last.left;
}

/** The letters of a word that is seen from its left; numbers in it stay. Arabic letters lose their forms. */
function readWord(text: string): string {
  const letters = reverseRuns([...text].reverse(), (letter) =>
    /[\p{N}\p{Script=Latin}]/u.test(letter),
  );
  return letters
    .join("")
    .replace(/[\ufb1d-\ufdff\ufe70-\ufefc]/g, (form) => form.normalize("NFKC"));
}

/** `items`, with each run of those for which `isOther` is true in reverse order. */
function reverseRuns<Item>(items: readonly Item[], isOther: (item: Item) => boolean): Item[] {
  const groups: Item[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && isOther(item) && isOther(last[0])) last.unshift(item);
    else groups.push([item]);
  }
  return groups.flat();
}
