import type { PageBox } from "#lib/formats/pdf/structure/page-boxes.ts";
import type { Word } from "#lib/formats/pdf/text/reading-order.ts";

/** The words of a page as one text, in which matches are searched. */
export interface JoinedWords {
  readonly text: string;
  /** For each word, the place of its first character in `text`, and how many of its characters are there. */
  readonly places: readonly { readonly start: number; readonly length: number }[];
}

/** What is between a word and the next one, if they touch, and if a line ends with a hyphen between them. */
interface Borders {
  readonly touching: "" | " ";
  readonly hyphen: "" | " " | "removed";
}

/**
 * The texts that the words of a page may be read as. pdftotext begins a word where the size of the font
 * changes, as in small capitals, and for each character of vertical text.
 */
export function joinWords(words: readonly Word[]): JoinedWords[] {
  const plain = join(words, { touching: " ", hyphen: " " });
  const texts = new Map([[plain.text, plain]]);
  for (const hyphen of ["", "removed"] as const) {
    const joined = join(words, { touching: "", hyphen });
    texts.set(joined.text, joined);
  }
  return [...texts.values()];
}

function join(words: readonly Word[], { touching, hyphen }: Borders): JoinedWords {
  const places: { start: number; length: number }[] = [];
  let text = "";
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    const isHyphenated = next !== undefined && endsWithHyphen(word, next);
    const isCut = isHyphenated && hyphen === "removed";
    const part = isCut ? word.text.slice(0, -1) : word.text;
    places.push({ start: text.length, length: part.length });
    text += part;
    if (isHyphenated) text += isCut ? "" : hyphen;
    else text += next !== undefined && isTouching(word, next) ? touching : " ";
  }
  return { text, places };
}

/** The largest distance between the parts of a word, as a part of the height of the smaller one. */
const maxDistance = 0.1;

function isTouching({ box, text }: Word, next: Word): boolean {
  const across = overlap(spanOf(box), spanOf(next.box));
  const down = overlap(rowsOf(box), rowsOf(next.box));
  const height = Math.min(box.height, next.box.height);
  if (down > height / 2) return across > -maxDistance * height;
  const width = Math.min(box.width, next.box.width);
  const isVertical = [...text].length === 1 && [...next.text].length === 1;
  return isVertical && across > width / 2 && down > -maxDistance * height;
}

function endsWithHyphen({ box, text }: Word, next: Word): boolean {
  const isNextLine =
    next.box.top > box.top + box.height / 2 && next.box.left < box.left + box.width;
  return isNextLine && /[\p{L}\p{N}][-\u00ad\u2010]$/u.test(text);
}

type Span = readonly [from: number, to: number];

const spanOf = ({ left, width }: PageBox): Span => [left, left + width];
const rowsOf = ({ top, height }: PageBox): Span => [top, top + height];

/** How long two spans overlap; negative if there is a distance between them. */
function overlap(one: Span, other: Span): number {
  return Math.min(one[1], other[1]) - Math.max(one[0], other[0]);
}
