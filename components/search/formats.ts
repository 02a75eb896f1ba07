import type { MediaKind } from "#lib/media/types.ts";
import { correct, isAnagram } from "#lib/typos/edit-distance.ts";
import type { Conversion, SearchEntry } from "./entry.ts";
import {
  kindNames,
  looseNames,
  ordinaryWords,
  typeIds,
  typeKinds,
  typeLabels,
} from "./format-names.ts";
import { queryWords, splitWords } from "./words.ts";

/** Words around the formats of a query that say nothing more about it. */
const fillers: ReadonlySet<string> = new Set(
  "change convert converter converting conversion export extract file files format free make online save transform turn".split(
    " ",
  ),
);

/** Names of operations whose purpose is another format, the most general first. */
const conversionNames = [/^(convert|transcode)\b/im, /\bto\b/i, /^extract\b/im];

/** The formats of one side of a conversion. */
interface Side {
  /** The id of a media type. */
  readonly type?: string;
  /** Any type of a kind. */
  readonly kind?: MediaKind;
}

interface FormatQuery {
  readonly from?: Side;
  readonly to?: Side;
}

/**
 * The operations that a query about formats asks for, the best first: "heic to jpg", "convert to webp", "docx", "avif".
 * None if the query is about anything else.
 */
export function findConversions<Entry extends SearchEntry>(
  query: string,
  entries: readonly Entry[],
  isKnown: (word: string) => boolean,
): { readonly entry: Entry; readonly conversion: Conversion }[] {
  const parsed = parseFormats(query, isKnown);
  if (!parsed) return [];
  const { from, to } = parsed;
  const found = entries.flatMap((entry) => {
    const choice = chooseFormat(entry, parsed);
    return choice === undefined ? [] : [{ entry, ...choice }];
  });
  const isPair = from !== undefined && to !== undefined;
  const rank = ({ entry }: (typeof found)[number]): readonly number[] => {
    const { title, names = [], formats, isPopular } = entry;
    const named = [title, ...names].join("\n");
    const breadth = formats?.from.split(" ").length ?? 0;
    const verb = conversionNames.findIndex((pattern) => pattern.test(named));
    // "html" alone means "HTML to PDF".
    const type = (to ?? from)?.type;
    const mentions = type !== undefined && splitWords(named).includes(labelWord(type));
    const byBreadth = isPair ? breadth : -breadth;
    return [verb < 0 ? 1 : 0, mentions ? 0 : 1, byBreadth, isPopular ? 0 : 1, verb];
  };
  const isConverter = (one: (typeof found)[number]) => rank(one)[0] === 0;
  // Others, such as thumbnails, only convert as well.
  const offered = !isPair || found.some(isConverter) ? found.filter(isConverter) : found;
  return offered
    .toSorted((one, other) => compare(rank(one), rank(other)))
    .map(({ entry, format, target }) => {
      const names = [nameOf(from), typeLabels.get(target) ?? nameOf(to)];
      const label = names.filter((name) => name !== undefined).join(" to ");
      return { entry, conversion: { label: from ? label : `To ${label}`, format } };
    });
}

/** The value of `format` with which an operation does what the query asks; undefined if it cannot. */
function chooseFormat(
  { formats }: SearchEntry,
  { from, to }: FormatQuery,
): { readonly format: string; readonly target: string } | undefined {
  if (!formats) return undefined;
  const takes = formats.from.split(" ");
  if (from && !takes.some((type) => isOn(from, type))) return undefined;
  const targets = Object.entries(formats.to);
  const wanted = targets.filter(([type]) => to === undefined || isOn(to, type));
  const [first] = wanted;
  if (!first || (from?.type !== undefined && first[0] === from.type)) return undefined;
  if (from === undefined && takes.every((type) => type === first[0])) return undefined;
  return to?.type === undefined
    ? { format: "", target: wanted.length === 1 ? first[0] : "" }
    : { format: first[1], target: first[0] };
}

function isOn({ type, kind }: Side, candidate: string): boolean {
  return type === undefined ? typeKinds.get(candidate) === kind : type === candidate;
}

function parseFormats(query: string, isKnown: (word: string) => boolean): FormatQuery | undefined {
  const text = query
    .toLowerCase()
    .replace(/->|=>|→|>/g, " to ")
    // PDF/A is not PDF, and the id of an operation is no list of formats.
    .replace(/(?<=\w)\/(?=\w)/g, "")
    .replace(/\b([a-z]+\d?)2([a-z]+\d?)\b/g, "$1 to $2");
  const words = splitWords(text.replace(/(?<=\s|^)\.(?=\w)/g, ""));
  const at = words.findIndex((word) => ["to", "into", "as", "in"].includes(word));
  const left = readSide(at < 0 ? words : words.slice(0, at), isKnown);
  const right = readSide(at < 0 ? [] : words.slice(at + 1), isKnown);
  if (!left || !right) return undefined;
  const [first, second] = left.sides;
  if (at < 0) {
    if (left.isGeneral) return undefined;
    // "heic jpg" is from the first to the second, "jpg from heic" from the second to the first.
    if (first && second && left.sides.length === 2) {
      return words.includes("from") ? { from: second, to: first } : { from: first, to: second };
    }
    return first?.type !== undefined && left.sides.length === 1 && !ordinaryWords.has(first.type)
      ? fromSingle(first)
      : undefined;
  }
  const [to] = right.sides;
  if (!to || right.sides.length > 1 || left.sides.length > 1) return undefined;
  return first ? { from: first, to } : to.type === undefined ? undefined : { to };
}

/** Documents are mostly converted from their format, other files to it. */
function fromSingle(side: Side): FormatQuery {
  const kind = typeKinds.get(side.type ?? "");
  const isWritten = !["heic", "raw", "dng", "svg"].includes(side.type ?? "");
  return (kind === "document" && side.type !== "pdf") || !isWritten ? { from: side } : { to: side };
}

/** The formats among the words of one side; undefined if it has a word that is neither one nor a filler. */
function readSide(words: readonly string[], isKnown: (word: string) => boolean) {
  const exact: Side[] = [];
  const general: Side[] = [];
  const useful = new Set(queryWords(words.join(" ")).map(({ text }) => text));
  for (const word of words) {
    const type = typeIds.get(word) ?? correctFormat(word, isKnown);
    const loose = looseNames[word];
    const kind = kindNames[word];
    if (type !== undefined) exact.push({ type });
    else if (loose !== undefined) general.push({ type: loose });
    else if (kind !== undefined) general.push({ kind });
    else if (useful.has(word) && !fillers.has(word)) return undefined;
  }
  return { sides: exact.length > 0 ? exact : general, isGeneral: exact.length === 0 };
}

/** The format that a word with swapped letters was meant to be. Other errors make other words: `pdfa`, `mp`. */
function correctFormat(word: string, isKnown: (word: string) => boolean): string | undefined {
  if (isKnown(word) || fillers.has(word)) return undefined;
  const found = correct(word, typeIds.keys()).find((name) => isAnagram(name, word));
  return found === undefined ? undefined : typeIds.get(found);
}

function labelWord(type: string): string {
  return splitWords(typeLabels.get(type) ?? type)[0] ?? type;
}

function nameOf(side: Side | undefined): string | undefined {
  return side && (side.type === undefined ? side.kind : typeLabels.get(side.type));
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}
