/** Words of questions that say nothing about what is searched. */
const stopWords: ReadonlySet<string> = new Set(
  "a an and any are as at be by can do does for from get give has have how i if in into is it its make me my of on or our own please should that the their them there this to use using want was we what when where which who why will with without you your".split(
    " ",
  ),
);

/** Words that help to rank, but that a result need not have. */
const weakWords: ReadonlySet<string> = new Set(
  "change convert converter create document file files image need online photo picture program set tool video way".split(
    " ",
  ),
);

/** A word of a query. */
export interface QueryWord {
  readonly text: string;
  /** Whether a result must have it to match completely. */
  readonly isRequired: boolean;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all ASCII characters.
const isAscii = /^[\x00-\x7f]*$/;

/** The apostrophe of "operator's", and the period of "h.264". */
const joiners = /(?<=[a-z])['’](?=[a-z])|(?<=\bh)\.(?=26\d)/g;

/**
 * The words of a text in lower case, without accents. A name with underscores, such as `max_bytes`, is one word, followed
 * by its parts.
 */
export function splitWords(text: string): string[] {
  const lower = text.toLowerCase();
  const plain = isAscii.test(lower) ? lower : lower.normalize("NFKD").replace(/\p{M}/gu, "");
  const words = plain.replace(joiners, "").match(/[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)*/gu) ?? [];
  return words.flatMap((word) => (word.includes("_") ? [word, ...word.split("_")] : [word]));
}

/** Whether a word says nothing about what is searched. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

/** The words of a query. Those that say nothing are left out, unless there are no others. */
export function queryWords(query: string): QueryWord[] {
  // Its parts would match many other names.
  const all = splitWords(query).filter((word, at, words) => !isPartBefore(words, at, word));
  const useful = all.filter((word) => !stopWords.has(word));
  const words = useful.length > 0 ? useful : all;
  const isWeak = words.every((word) => weakWords.has(word)) ? () => false : isWeakWord;
  return words.map((text) => ({ text, isRequired: !isWeak(text) }));
}

function isWeakWord(word: string): boolean {
  return weakWords.has(word);
}

/** Whether the word at `at` is a part of a name with underscores before it. */
function isPartBefore(words: readonly string[], at: number, word: string): boolean {
  const name = words.slice(0, at).findLast((one) => one.includes("_"));
  return name?.split("_").includes(word) ?? false;
}

const stems = new Map<string, string>();

/** The form in which words of the same stem are compared: `resizing` and `resize` are `resiz`. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = findStem(word);
  stems.set(word, stem);
  return stem;
}

function findStem(word: string): string {
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  const singular = word
    .replace(/ies$/, "y")
    .replace(/(ss|sh|ch|x)es$/, "$1")
    .replace(/([^su])s$/, "$1");
  const verb = singular
    .replace(/^(.*[aeiouy].*)ing$/, "$1")
    .replace(/^(.*[aeiouy].*[^e])ed$/, "$1")
    .replace(/(.{4,}[st])ion$/, "$1")
    .replace(/([bdgmnprt])\1$/, "$1");
  return verb.length > 3 ? verb.replace(/e$/, "") : verb;
}

/** What two names have in common that differ only in the form of their words. */
export function nameKey(text: string): string {
  const all = splitWords(text);
  const words = all.filter((word, at) => !isPartBefore(all, at, word));
  // The id `pdf-a` has all its words.
  const useful = text.includes(" ") ? words.filter((word) => !stopWords.has(word)) : words;
  return (useful.length > 0 ? useful : words).map(stemOf).join("");
}
