import type { Page, Run } from "./page.ts";

/** The share of the page's height at its top and at its bottom in which running titles are. */
const marginShare = 0.12;
/** Of all pages, so many have a running title; fewer have that of a chapter. */
const minShare = 0.4;
const maxNeeded = 3;

const pageNumber =
  /^[-–—\s]*((page|seite|página|pagina|p\.?)\s*)?(#|[ivxlc]{1,6})(\s*(\/|of|von|de|di|sur)\s*#)?[-–—\s]*$/i;

/** The pages without headers, footers and page numbers that repeat on them. */
export function removeRunningTitles(pages: readonly Page[]): Page[] {
  const counts = new Map<string, number>();
  for (const page of pages) {
    for (const key of new Set(candidates(page).map(([, key]) => key))) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const needed = Math.max(2, Math.min(Math.ceil(minShare * pages.length), maxNeeded));
  return pages.map((page) => {
    const removed = new Set(
      candidates(page)
        .filter(([runs, key]) => (counts.get(key) ?? 0) >= needed || isPageNumber(runs, page))
        .flatMap(([runs]) => runs),
    );
    return removed.size === 0
      ? page
      : { ...page, runs: page.runs.filter((run) => !removed.has(run)) };
  });
}

/** The lines in both margins, with what is the same on other pages: place and text without numbers. */
function candidates(page: Page): [Run[], string][] {
  const lines = new Map<string, Run[]>();
  for (const run of page.runs) {
    const isTop = run.bottom < marginShare * page.height;
    if (!isTop && run.top < (1 - marginShare) * page.height) continue;
    const key = `${isTop ? "top" : "bottom"} ${Math.round(run.baseline / 3)}`;
    lines.set(key, [...(lines.get(key) ?? []), run]);
  }
  return [...lines].map(([place, runs]) => [runs, `${place} ${normalize(runs)}`]);
}

function normalize(runs: readonly Run[]): string {
  const sorted = runs.toSorted((a, b) => a.left - b.left);
  return sorted
    .map(({ text }) => text.trim())
    .join(" ")
    .replace(/\d+/g, "#");
}

/** A page number alone at the foot or at the head of a page, also of a single one. */
function isPageNumber(runs: readonly Run[], page: Page): boolean {
  const isFoot = runs.every(({ top }) => top > 0.9 * page.height);
  const isHead = runs.every(({ bottom }) => bottom < 0.1 * page.height);
  return (isFoot || isHead) && pageNumber.test(normalize(runs));
}
