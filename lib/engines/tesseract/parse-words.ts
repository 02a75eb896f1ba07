/** A word with its place in the image, in whole pixels. */
export interface OcrWord {
  readonly text: string;
  /** The confidence from 0 to 1. */
  readonly confidence: number;
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
}

/** The level of the rows that are words. */
const wordLevel = "5";

/** Marks of the direction of writing, which are invisible. */
export const directionMarks = /[\u200e\u200f\u202a-\u202e]/g;

const maxWordLength = 200;

/**
 * Parses the table that tesseract writes (`tsv`): level, page, block, paragraph, line, word, left, top,
 * width, height, confidence in percent, text. Rows that are not words are left out.
 */
export function parseWords(table: string): OcrWord[] {
  const words: OcrWord[] = [];
  for (const row of table.split("\n")) {
    const columns = row.split("\t");
    const [level, , , , , , left, top, width, height, confidence, text = ""] = columns;
    if (level !== wordLevel || text.trim() === "") continue;
    const numbers = [left, top, width, height, confidence].map(Number);
    if (!numbers.every(Number.isFinite)) continue;
    const [x = 0, y = 0, w = 0, h = 0, percent = 0] = numbers;
    words.push({
      text: text.replace(directionMarks, "").trim().slice(0, maxWordLength).toWellFormed(),
      confidence: Math.round(Math.min(100, Math.max(0, percent))) / 100,
      box: { left: x, top: y, width: w, height: h },
    });
  }
  return words;
}
