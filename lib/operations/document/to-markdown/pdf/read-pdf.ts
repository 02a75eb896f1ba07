import { JobError } from "#lib/errors.ts";
import { pageMark } from "#lib/formats/html/simple-elements.ts";
import { escapeHtml } from "#lib/formats/markup/escape.ts";
import type { ImageCollector } from "../content/images.ts";
import type { Omitted } from "../content/omitted.ts";
import { renderRegion } from "./blocks.ts";
import { renderCellRuns, renderTable } from "./cells.ts";
import { findRegions, KnownGutters } from "./columns.ts";
import { findRows, type Row } from "./lines.ts";
import { isPdfjsError, openPdf } from "./open-pdf.ts";
import { contains, type Page } from "./page.ts";
import { readPage } from "./read-page.ts";
import { findRuledTables, type RuledTable } from "./ruled-tables.ts";
import { removeRunningTitles } from "./running-titles.ts";
import { hasRoles, renderTagged } from "./tagged.ts";
import { type FontStatistics, measureFonts } from "./text-style.ts";

export interface PdfText {
  readonly html: string;
  readonly pages: number;
  /** The numbers of pages without text, such as scanned ones. */
  readonly emptyPages: readonly number[];
  /** The numbers of pages with equations, whose layout is lost. */
  readonly equationPages: readonly number[];
}

/**
 * A PDF as HTML, with a mark before each page. A tagged PDF is read by its structure, another one by the
 * places and fonts of its text. Throws `JobError` (`corrupt`, `encrypted`).
 */
export async function readPdf(
  path: string,
  images: ImageCollector,
  omitted: Omitted,
  progress: (percent: number) => void,
): Promise<PdfText> {
  const document = await openPdf(path);
  try {
    const isTagged = (await document.getMarkInfo())?.Marked === true;
    const pages: Page[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      pages.push(await readPage(page, images, omitted, isTagged));
      page.cleanup();
      progress((95 * number) / document.numPages);
    }
    return renderPages(pages);
  } catch (cause) {
    if (!isPdfjsError(cause)) throw cause;
    throw new JobError("corrupt", "The file is damaged or is not a PDF.", { cause });
  } finally {
    await document.loadingTask.destroy();
  }
}

function renderPages(read: readonly Page[]): PdfText {
  const emptyPages = read.filter(({ runs }) => runs.length === 0).map(({ number }) => number);
  const equationPages = read
    .filter(({ runs }) => runs.some(({ isMath }) => isMath))
    .map(({ number }) => number);
  const usesStructure = hasRoles(read);
  const pages = removeRunningTitles(read);
  const fonts = measureFonts(pages.map(({ runs }) => findRows(runs)));
  const known = new KnownGutters();
  const html = pages.map((page) => {
    const tagged = usesStructure ? renderTagged(page) : undefined;
    const content =
      tagged === undefined ? renderLayout(page, fonts, known) : `${tagged}${renderImages(page)}`;
    return `${pageMark(page.number)}${content}`;
  });
  return { html: html.join(""), pages: pages.length, emptyPages, equationPages };
}

function renderImages({ images }: Page): string {
  return images.map(({ name }) => `<p><img src="${escapeHtml(encodeURI(name))}"></p>`).join("");
}

/** A page by the places of its texts: tables with lines first, then the columns of the rest. */
function renderLayout(page: Page, fonts: FontStatistics, known: KnownGutters): string {
  const runs = page.runs.filter(({ isArtifact }) => !isArtifact);
  const tables = findRuledTables(page.rules, runs);
  const rest = runs.filter((run) => !tables.some((table) => contains(table, run)));
  const figures = [
    ...tables.map((table) => ({ top: table.top, html: renderRuled(table) })),
    ...page.images.map((image) => ({
      top: image.top,
      html: renderImages({ ...page, images: [image] }),
    })),
  ].toSorted((a, b) => a.top - b.top);
  return splitAt(findRows(rest), figures)
    .map(({ rows, html }) => {
      const regions = findRegions(rows, page.rules, known);
      const parts = regions.map((region) => renderRegion(region, fonts));
      return `${parts.reduce(joinColumns, "")}${html}`;
    })
    .join("");
}

/** A paragraph that goes on in the next column is one. */
function joinColumns(before: string, after: string): string {
  const isOpen = /[^.!?:;”"\])>](?:<\/\w+>){0,3}<\/p>$/.test(before);
  if (!isOpen || !/^<p>(?:<\w+>){0,3}\p{Ll}/u.test(after)) return `${before}${after}`;
  const start = before.slice(0, -"</p>".length);
  const isDivided = /\p{Ll}[-‐]$/u.test(start);
  return `${isDivided ? start.slice(0, -1) : `${start} `}${after.slice("<p>".length)}`;
}

/** The rows above each figure, with the figure; the last part has none. */
function splitAt(rows: readonly Row[], figures: readonly { top: number; html: string }[]) {
  const parts: { rows: Row[]; html: string }[] = [];
  let rest = [...rows];
  for (const { top, html } of figures) {
    const isAbove = (row: Row) => (row.top + row.bottom) / 2 < top;
    parts.push({ rows: rest.filter(isAbove), html });
    rest = rest.filter((row) => !isAbove(row));
  }
  return [...parts, { rows: rest, html: "" }];
}

function renderRuled({ cells }: RuledTable): string {
  return renderTable(cells.map((row) => row.map((cell) => renderCellRuns(cell))));
}
