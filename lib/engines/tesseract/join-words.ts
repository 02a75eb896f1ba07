import type { OcrWord } from "./parse-words.ts";

/**
 * Returns `words` as `text` separates them. In Korean, tesseract's table has the parts of words,
 * and only its text has the spaces. Words that are not in the text in this order stay as they are.
 */
export function joinWords(words: readonly OcrWord[], text: string): OcrWord[] {
  const joined: OcrWord[] = [];
  let next = 0;
  for (const token of text.split(/\s+/).filter(Boolean)) {
    const parts: OcrWord[] = [];
    let found = "";
    for (let at = next; at < words.length && found.length < token.length; at++) {
      const word = words[at];
      if (!word) break;
      parts.push(word);
      found += word.text;
    }
    if (found !== token) return [...joined, ...words.slice(next)];
    joined.push(joinParts(token, parts));
    next += parts.length;
  }
  return [...joined, ...words.slice(next)];
}

/** One word in the box around its parts; its confidence is their mean by length. */
function joinParts(text: string, parts: readonly OcrWord[]): OcrWord {
  const left = Math.min(...parts.map(({ box }) => box.left));
  const top = Math.min(...parts.map(({ box }) => box.top));
  const right = Math.max(...parts.map(({ box }) => box.left + box.width));
  const bottom = Math.max(...parts.map(({ box }) => box.top + box.height));
  const sum = parts.reduce((total, part) => total + part.confidence * part.text.length, 0);
  return {
    text,
    confidence: Math.round((sum / text.length) * 100) / 100,
    box: { left, top, width: right - left, height: bottom - top },
  };
}
