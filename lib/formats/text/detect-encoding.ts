import { isUtf8 } from "node:buffer";
import { alphabets, frequentCharacters } from "./alphabets.ts";

/**
 * Detects the encoding of text that does not declare one, by how well what it would be in each encoding fits
 * a language. Encodings have the names of the Encoding Standard of WHATWG, which `TextDecoder` takes.
 */

/** What is taken unless another encoding fits clearly better. */
const fallback = "windows-1252";

/** How much better another encoding must fit. A few letters may by chance be those of another language. */
const minLead = 0.12;

/** More text than this does not make the result better. */
const sampleBytes = 16 * 1024;

/** The encoding that a byte order mark declares. */
export function markedEncoding(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "utf-8" : undefined;
}

/** The encoding of `bytes`: of their byte order mark, UTF-8 if they are valid, or the one that fits best. */
export function detectEncoding(bytes: Uint8Array): string {
  const marked = markedEncoding(bytes);
  if (marked) return marked;
  if (isUtf8(bytes)) return "utf-8";
  const sample = selectSample(bytes);
  if (isDamagedUtf8(sample)) return "utf-8";
  const fits = [...fitAlphabets(sample), ...fitIdeographs(sample)];
  const usual = Math.max(...fits.flatMap(([name, fit]) => (name === fallback ? fit : [])));
  const best = fits.reduce((found, next) => (next[1] > found[1] ? next : found));
  return best[1] > usual + minLead ? best[0] : fallback;
}

/** The share of valid characters above ASCII, from which the others are damage. Other text has hardly any. */
const minValidShare = 0.9;

function isDamagedUtf8(sample: Uint8Array): boolean {
  const text = new TextDecoder().decode(sample);
  const above = text.match(/\P{ASCII}/gu)?.length ?? 0;
  const damaged = text.match(/\ufffd/g)?.length ?? 0;
  return above - damaged > above * minValidShare;
}

/** How much of a line before its first byte above ASCII is looked at. */
const maxLineStart = 1024;

/** The text from the line with the first byte above ASCII; in all of these encodings, a line break is ASCII. */
function selectSample(bytes: Uint8Array): Uint8Array {
  let first = 0;
  // A callback for each byte would take several times as long.
  while (first < bytes.length && (bytes[first] ?? 0) <= 0x7f) first++;
  const start = Math.max(bytes.lastIndexOf(0x0a, first) + 1, first - maxLineStart);
  return bytes.subarray(start, start + sampleBytes);
}

type Fit = readonly [encoding: string, fit: number];

/** Punctuation that texts in any language have. */
const neutral = new Set("“”„‘’‚–—…«»‹›•€£§©®™°·´\u00a0\u00ad\u200e\u200f№،؛؟");

function fitAlphabets(sample: Uint8Array): Fit[] {
  const texts = new Map<string, string>();
  return alphabets.map(([encoding, letters]) => {
    const text =
      texts.get(encoding) ??
      // The letter of a line break in ASS belongs to no word.
      new TextDecoder(encoding).decode(sample).replaceAll(/\\[Nn]/g, " ");
    texts.set(encoding, text);
    return [encoding, fitAlphabet(text, encoding, letters)];
  });
}

/** With fewer different letters, a text may be one of a western language: `Sørensen` is `Sųrensen` in Baltic. */
const minLatinLetters = 3;

/**
 * From −1, if no character above ASCII is one of `letters`, or too few are for a text in another encoding than the
 * usual one, to 1, if all are the most frequent of them.
 */
function fitAlphabet(text: string, encoding: string, letters: string): number {
  const ranks = new Map([...letters].map((letter, rank) => [letter, 1 - rank / letters.length]));
  const isLatin = /^\p{Script=Latin}/u.test(letters);
  // Western languages use letters of each other.
  const others = encoding === fallback ? 0.1 : -1;
  // Such as ½ and ×, and those after a unit or a word: m³, study¹.
  const words =
    encoding === fallback ? text.replaceAll(/[\p{S}\p{No}µºª‰†‡¶](?!\p{L})/gu, " ") : text;
  const seen = new Set<string>();
  let hasPair = false;
  let previous = "";
  const fit = average(words, (character) => {
    const before = previous;
    previous = character;
    if (character < "\u0080" || neutral.has(character)) return undefined;
    if (!isLatin && /[a-z]/i.test(before)) return -1;
    const lower = character.toLowerCase();
    if (ranks.has(lower)) {
      seen.add(lower);
      hasPair ||= ranks.has(before.toLowerCase());
    }
    // No word goes on with a capital: in KOI8-R, capitals are where Windows has small letters.
    if (character !== lower && /\p{Ll}/u.test(before)) return -1;
    return ranks.get(character) ?? ranks.get(lower) ?? (/\p{L}/u.test(character) ? others : -1);
  });
  // A letter of another alphabet alone, such as the one that µ or ¡ would be, is no word.
  const isProven = isLatin ? seen.size >= minLatinLetters : hasPair;
  if (encoding !== fallback && !isProven) return -1;
  // Nothing but punctuation is as it always was.
  return fit ?? (encoding === fallback ? 1 : -1);
}

/** How well each character fits, from −1 to 1; undefined: it says nothing. */
type CharacterFit = (character: string) => number | undefined;

const isKana = (character: string) => /[\u3041-\u3096\u30a1-\u30fc]/.test(character);
const isIdeograph = (character: string) => /[\u3005\u3400-\u9fff]/.test(character);
const isSyllable = (character: string) => /[\uac00-\ud7a3]/.test(character);
/** Punctuation of East Asia, and letters in its width. */
const isWide = (character: string) =>
  /[\u2010-\u2027\u3000-\u3004\u3006-\u303f\uff01-\uff60]/.test(character);

const japanese: CharacterFit = (character) =>
  isKana(character) ? 1 : isIdeograph(character) ? 0.3 : -1;

const chinese = (frequent: string): CharacterFit => {
  const known = new Set(frequent);
  return (character) => (known.has(character) ? 1 : isIdeograph(character) ? 0.2 : -1);
};

const frequentSyllables = new Set(frequentCharacters["euc-kr"]);

const korean: CharacterFit = (character) =>
  frequentSyllables.has(character) ? 1 : isSyllable(character) ? 0.4 : -1;

const ideographs: readonly (readonly [encoding: string, fitOf: CharacterFit])[] = [
  ["shift_jis", japanese],
  ["euc-jp", japanese],
  ["gb18030", chinese(frequentCharacters.gb18030)],
  ["big5", chinese(frequentCharacters.big5)],
  ["euc-kr", korean],
];

function fitIdeographs(sample: Uint8Array): Fit[] {
  return ideographs.flatMap(([encoding, fitOf]): Fit[] => {
    const text = decodeStrictly(encoding, sample);
    if (text === undefined) return [];
    const fitNarrow: CharacterFit = (character) =>
      character < "\u0080" || isWide(character) ? undefined : fitOf(character);
    return [[encoding, average(text, fitNarrow) ?? -1]];
  });
}

/** Undefined if `sample` has bytes that `encoding` does not have; its last character may be incomplete. */
function decodeStrictly(encoding: string, sample: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return undefined;
  }
}

/** The average over all characters that say something; undefined if there are none. */
function average(text: string, fitOf: CharacterFit): number | undefined {
  let sum = 0;
  let count = 0;
  for (const character of text) {
    const value = fitOf(character);
    if (value === undefined) continue;
    sum += value;
    count++;
  }
  return count === 0 ? undefined : sum / count;
}
