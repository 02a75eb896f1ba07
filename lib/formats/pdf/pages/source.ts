import { PdfFile } from "../objects/file.ts";
import { Destinations } from "./destinations.ts";
import { type Bookmark, readBookmarks } from "./outline.ts";
import { type PageLabel, readPageLabels } from "./page-labels.ts";
import { listPages, type PdfPage } from "./page-tree.ts";
import { StructureTree } from "./structure-tree.ts";

/** A PDF whose pages are copied, with all that leads to them. */
export interface PdfSource {
  readonly file: PdfFile;
  readonly pages: readonly PdfPage[];
  readonly destinations: Destinations;
  readonly bookmarks: readonly Bookmark[];
  readonly labels: readonly PageLabel[] | undefined;
  readonly structure: StructureTree;
}

/** Opens a file of `normalizePdf`. Throws `JobError("too_complex")` if it has too many pages. */
export function openSource(path: string, maxPages: number): PdfSource {
  const file = new PdfFile(path);
  const pages = listPages(file, maxPages);
  const destinations = new Destinations(file, pages);
  const bookmarks = readBookmarks(file, destinations);
  const labels = readPageLabels(file, pages.length);
  return { file, pages, destinations, bookmarks, labels, structure: new StructureTree(file) };
}
