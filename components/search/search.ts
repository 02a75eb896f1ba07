import MiniSearch, { type Query, type SearchResult } from "minisearch";
import { type Found, type SearchEntry, searchKinds } from "./entry.ts";
import { findConversions } from "./formats.ts";
import { createVocabulary, type Expansion } from "./vocabulary.ts";
import { nameKey, queryWords, splitWords, stemOf } from "./words.ts";

/** Finds entries: the best matches first. */
export type Search<Entry extends SearchEntry> = (query: string) => readonly Found<Entry>[];

/** What a document of the index has, with its weight in the score. */
const boosts = { title: 6, names: 5, words: 4, params: 4, section: 2, text: 1.5, more: 1 } as const;

type Field = keyof typeof boosts;

/** How well an entry matches: by its name, by all words in its names, and so on. The first is the best. */
const tiers = { exact: 0, conversion: 1, title: 2, label: 3, text: 4, some: 5 } as const;

/** The tier of a word that is found in a field. */
const tierOfField: Readonly<Record<Field, number>> = {
  title: tiers.title,
  names: tiers.title,
  words: tiers.label,
  params: tiers.label,
  section: tiers.label,
  text: tiers.text,
  more: tiers.text,
};

/** Below this weight, a word that is found counts as one of the next tier. */
const minSureWeight = 0.4;

/** One ranking for all searches. */
export function createSearch<Entry extends SearchEntry>(entries: readonly Entry[]): Search<Entry> {
  const fields = Object.keys(boosts) as Field[];
  const index = new MiniSearch<Record<Field, string> & { id: number }>({
    fields,
    // A word such as "error" does not mean `error_correction`.
    tokenize: (text, field) => (field === "params" ? text.split(" ") : splitWords(text)),
    processTerm: stemOf,
    searchOptions: { boost: boosts, tokenize: (text) => [text], processTerm: (term) => term },
  });
  const documents = entries.map(toDocument);
  index.addAll(documents.map((document, id) => ({ ...document, id })));
  const vocabulary = createVocabulary(
    documents.map((document) => Object.values(document).join(" ")),
    documents.map(({ title, names, words }) => `${title} ${names} ${words}`),
  );
  const namesOf = new Map(
    entries.map((entry) => [entry, new Set([entry.title, ...(entry.names ?? [])].map(nameKey))]),
  );

  return (query) => {
    const words = queryWords(query);
    if (words.length === 0) return [];
    const required = vocabulary.regroup(
      words.flatMap(({ text, isRequired }) => (isRequired ? [text] : [])),
    );
    const groups = required.map((word, at) => vocabulary.expand(word, at === required.length - 1));
    const optional = words.flatMap(({ text, isRequired }) => (isRequired ? [] : [stemOf(text)]));
    const scores = new Map(
      index.search(toQuery(groups, optional)).map((result) => [result.id as number, result]),
    );
    const key = nameKey(query);
    const ranked = entries.flatMap((entry, id) => {
      const isExact = (namesOf.get(entry)?.has(key) ?? false) || startsTitle(query, entry);
      const result = scores.get(id);
      if (!result) return isExact ? [{ entry, order: [tiers.exact, kindRank(entry)] }] : [];
      const matched = isExact ? tiers.exact : tierOf(groups, result);
      const isPartial = matched === tiers.some;
      const tier = isPartial ? matched : Math.min(matched + demotion(entry, isExact), tiers.text);
      const isNamed = tier <= tiers.label;
      const order = [
        tier,
        isNamed ? kindRank(entry) : 0,
        isNamed ? -coverage(groups, entry) : 0,
        isNamed && entry.isPopular ? 0 : 1,
        isPartial ? -matchedGroups(groups, result) : 0,
        -result.score,
      ];
      return [{ entry, order, ...(isPartial && { isPartial }) }];
    });
    const converted = findConversions(query, entries, vocabulary.has).map(
      ({ entry, conversion }, at) => ({
        entry,
        conversion,
        order: [conversionTier(entry, key), at],
      }),
    );
    const sorted = [...ranked, ...converted].toSorted((one, other) =>
      compareOrders(one.order, other.order),
    );
    const seen = new Set<Entry>();
    return sorted.flatMap(({ order: _, ...found }) => {
      if (seen.has(found.entry)) return [];
      seen.add(found.entry);
      return [found];
    });
  };

  /** An operation that has the query as its name comes first, with the format filled in. */
  function conversionTier(entry: Entry, key: string): number {
    return namesOf.get(entry)?.has(key) ? tiers.exact - 1 : tiers.conversion;
  }
}

function toDocument(entry: SearchEntry): Record<Field, string> {
  const { title, section, text, names = [], words = "", params = "", formats } = entry;
  const types = formats ? `${formats.from} ${Object.keys(formats.to).join(" ")}` : "";
  const more = `${entry.more ?? ""} ${types}`;
  return { title, section, text, words, params, more, names: names.join(" ") };
}

/** Any of the words, because entries that have only some of them come last. */
function toQuery(groups: readonly Expansion[], optional: readonly string[]): Query {
  const required = groups.flatMap((group) => [...group]);
  const weak = optional.map((stem) => [stem, 0.3] as const);
  return {
    combineWith: "OR",
    queries: [...required, ...weak].map(([stem, weight]) => ({
      queries: [stem],
      combineWith: "OR",
      boostTerm: () => weight,
    })),
  };
}

/** The worst tier of the words of a query, each at its best. */
function tierOf(groups: readonly Expansion[], { match }: SearchResult): number {
  if (groups.length === 0) return tiers.some;
  const ofGroup = (group: Expansion) => {
    const found = [...group].flatMap(([stem, weight]) =>
      (match[stem] ?? []).map((field) => {
        // The index has these fields only.
        const tier = tierOfField[field as Field];
        return weight < minSureWeight ? Math.min(tier + 1, tiers.text) : tier;
      }),
    );
    return found.length === 0 ? tiers.some : Math.min(...found);
  };
  return Math.max(...groups.map(ofGroup));
}

function matchedGroups(groups: readonly Expansion[], { match }: SearchResult): number {
  return groups.filter((group) => group.keys().some((stem) => Object.hasOwn(match, stem))).length;
}

/** The share of the words of the title that the query has. */
function coverage(groups: readonly Expansion[], { title }: SearchEntry): number {
  const words = splitWords(title).map(stemOf);
  const found = words.filter((word) => groups.some((group) => group.has(word)));
  return found.length / Math.max(1, words.length);
}

/** Whether a query is the start of the title of an action or a page, whose names one types rather than describes. */
function startsTitle(query: string, { kind, title }: SearchEntry): boolean {
  const start = query.trim().toLowerCase();
  const isNamed = kind === "action" || kind === "page";
  return isNamed && start.length > 2 && title.toLowerCase().startsWith(start);
}

/** What fewer people look for comes after other entries that match as well. */
function demotion({ kind }: SearchEntry, isExact: boolean): number {
  if (kind === "operator") return tiers.title;
  return kind === "code" && !isExact ? 1 : 0;
}

/** Actions and pages are equal: the one whose title says less that the query does not comes first. */
function kindRank({ kind }: SearchEntry): number {
  return Math.max(searchKinds.indexOf("page"), searchKinds.indexOf(kind));
}

function compareOrders(one: readonly number[], other: readonly number[]): number {
  const length = Math.max(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
