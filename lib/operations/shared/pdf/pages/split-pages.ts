import type { Suffix } from "#lib/engines/worker/operation.ts";
import { JobError } from "#lib/errors.ts";
import { readText } from "#lib/formats/pdf/objects/text.ts";
import type { PdfSource } from "#lib/formats/pdf/pages/source.ts";
import { emptySelection, type PageRun, resolveRanges, selectPages } from "../page-selection.ts";

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
  readonly run: PageRun;
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
  const runs = listRuns(rule, count);
  const digits = `${count}`.length;
  const taken = new Set<string>();
  return runs.map((run, part) => {
    const { first, step } = run;
    const last = first + step * (run.count - 1);
    const label = (index: number) => `${index + 1}`.padStart(digits, "0");
    const hasGaps = last - first >= run.count;
    const parity = first % 2 === 0 ? "odd" : "even";
    const range = hasGaps ? parity : (`${label(first)}-${label(last)}` as const);
    const name: Suffix = run.count === 1 ? `-page-${label(first)}` : `-pages-${range}`;
    const suffix: Suffix = taken.has(name) ? `${name}-part-${part + 1}` : name;
    taken.add(suffix);
    return { run, suffix };
  });
}

/** The pages of each part. Throws `JobError` `empty` for a part without pages. */
function listRuns({ ranges, pages, every = 1 }: SplitRule, count: number): PageRun[] {
  if (pages !== undefined) return selectPages(pages, count).map((index) => span(index, index + 1));
  if (ranges === undefined) return chunk(count, every);
  const runs = resolveRanges(ranges, count, "parts");
  if (runs.some((run) => run.count === 0)) throw emptySelection("ranges", count);
  return runs;
}

/** Pages that follow each other, without that at `end`. */
const span = (first: number, end: number): PageRun => ({ first, step: 1, count: end - first });

function chunk(count: number, size: number): PageRun[] {
  return Array.from({ length: Math.ceil(count / size) }, (_, part) =>
    span(part * size, Math.min(count, (part + 1) * size)),
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
      run: span(start, end),
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
