import type { Suffix } from "#lib/engines/worker/operation.ts";
import { JobError } from "#lib/errors.ts";
import { readText } from "#lib/formats/pdf/objects/text.ts";
import type { PdfSource } from "#lib/formats/pdf/pages/source.ts";
import { emptySelection, resolveRanges, selectPages } from "../page-selection.ts";

/** Where a document is split; one of the four. */
export interface SplitRule {
  readonly ranges?: string;
  /** Pages that each become a part. */
  readonly pages?: string;
  /** The number of pages of each part. */
  readonly every?: number;
  /** Whether it is split at the pages that the top-level bookmarks lead to. */
  readonly bookmarks?: boolean;
}

export interface DocumentPart {
  /** The indexes of its pages, from 0. */
  readonly indexes: readonly number[];
  readonly suffix: Suffix;
}

/** Each part is an output of the job. */
const maxParts = 5000;

/**
 * Splits a document. Throws `JobError`: `empty` if a range has no page or there are no bookmarks,
 * `too_complex`.
 */
export function splitPages(source: PdfSource, rule: SplitRule): DocumentPart[] {
  const parts = rule.bookmarks ? splitAtBookmarks(source) : splitByNumber(source, rule);
  if (parts.length <= maxParts) return parts;
  const message = `The document would be split into ${parts.length} parts. At most ${maxParts} are possible.`;
  throw new JobError("too_complex", message);
}

function splitByNumber({ pages }: PdfSource, rule: SplitRule): DocumentPart[] {
  const count = pages.length;
  const lists = listPages(rule, count);
  const digits = `${count}`.length;
  const taken = new Set<string>();
  return lists.map((indexes, part) => {
    const first = indexes[0] ?? 0;
    const last = indexes.at(-1) ?? first;
    const label = (index: number) => `${index + 1}`.padStart(digits, "0");
    const hasGaps = last - first >= indexes.length;
    const parity = first % 2 === 0 ? "odd" : "even";
    const range = hasGaps ? parity : (`${label(first)}-${label(last)}` as const);
    const name: Suffix = indexes.length === 1 ? `-page-${label(first)}` : `-pages-${range}`;
    const suffix: Suffix = taken.has(name) ? `${name}-part-${part + 1}` : name;
    taken.add(suffix);
    return { indexes, suffix };
  });
}

/** The indexes of the pages of each part. Throws `JobError` `empty` for a part without pages. */
function listPages({ ranges, pages, every = 1 }: SplitRule, count: number): number[][] {
  if (pages !== undefined) return selectPages(pages, count).map((index) => [index]);
  if (ranges === undefined) return chunk(count, every);
  const lists = resolveRanges(ranges, count, "parts");
  if (lists.some((indexes) => indexes.length === 0)) throw emptySelection("ranges", count);
  return lists;
}

function chunk(count: number, size: number): number[][] {
  return Array.from({ length: Math.ceil(count / size) }, (_, part) =>
    Array.from({ length: Math.min(size, count - part * size) }, (_, index) => part * size + index),
  );
}

function splitAtBookmarks({ pages, bookmarks }: PdfSource): DocumentPart[] {
  const indexOf = new Map(pages.map(({ number }, index) => [number, index]));
  const titles = new Map<number, string>();
  for (const { title, destination } of bookmarks) {
    const index = destination && indexOf.get(destination.page);
    if (index !== undefined && !titles.has(index)) titles.set(index, readText(title));
  }
  if (titles.size === 0) {
    throw new JobError("empty", "The PDF has no bookmarks that lead to its pages.");
  }
  // Pages before the first bookmark, such as a cover, are a part of their own.
  if (!titles.has(0)) titles.set(0, "");
  const starts = [...titles.keys()].toSorted((a, b) => a - b);
  const digits = `${starts.length}`.length;
  return starts.map((start, part) => {
    const end = starts[part + 1] ?? pages.length;
    const number = `${part + 1}`.padStart(digits, "0");
    const slug = toSlug(titles.get(start) ?? "");
    return {
      indexes: Array.from({ length: end - start }, (_, index) => start + index),
      suffix: slug ? `-${number}-${slug}` : `-${number}`,
    };
  });
}

/** The title in lowercase ASCII, as output names have it. */
function toSlug(title: string): string {
  const plain = title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 30)
    .replace(/^-|-$/g, "");
}
