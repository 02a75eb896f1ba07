import type { PdfFile } from "../objects/file.ts";
import {
  type PdfDict,
  type PdfName,
  PdfRef,
  type PdfString,
  type PdfValue,
} from "../objects/values.ts";
import type { PdfWriter } from "../objects/writer.ts";
import type { Destination, Destinations } from "./destinations.ts";

/** Bookmarks: the outline of a document (ISO 32000-1, 12.3.3). */

export interface Bookmark {
  readonly title: PdfValue;
  /** Where it leads to; undefined if it does something else or nothing. */
  readonly destination?: Destination | undefined;
  /** What it does if it does not lead to a page of the document, such as opening a URL. */
  readonly action?: PdfValue | undefined;
  /** The entries of its color and style. */
  readonly look: PdfDict;
  readonly isOpen: boolean;
  readonly children: readonly Bookmark[];
}

const maxBookmarks = 200_000;
const maxDepth = 100;

export function readBookmarks(file: PdfFile, destinations: Destinations): Bookmark[] {
  const visited = new Set<number>();
  const readLevel = (parent: PdfDict, depth: number): Bookmark[] => {
    const found: Bookmark[] = [];
    let next = parent["/First"];
    while (next instanceof PdfRef && depth < maxDepth) {
      if (visited.has(next.number) || visited.size > maxBookmarks) break;
      visited.add(next.number);
      const item = file.dict(next);
      const target = destinations.targetOf(item);
      const count = file.resolve(item["/Count"]);
      const action = target ? undefined : item["/A"];
      const look: Record<PdfName, PdfValue> = {};
      for (const name of ["/C", "/F"] as const) {
        if (item[name] !== undefined) look[name] = item[name];
      }
      found.push({
        title: file.resolve(item["/Title"]),
        destination: target?.destination,
        action,
        look,
        isOpen: typeof count === "number" && count > 0,
        children: readLevel(item, depth + 1),
      });
      next = item["/Next"];
    }
    return found;
  };
  return readLevel(file.dict(file.catalog["/Outlines"]), 0);
}

/**
 * The bookmarks that lead to a page of `pages` (object numbers), and those above them. Others stay only
 * with `keepsActions`, if they do something else, such as opening a URL.
 */
export function selectBookmarks(
  bookmarks: readonly Bookmark[],
  pages: ReadonlySet<number>,
  keepsActions: boolean,
): Bookmark[] {
  return bookmarks.flatMap((bookmark) => {
    const { destination, action, ...rest } = bookmark;
    const children = selectBookmarks(bookmark.children, pages, keepsActions);
    if (destination && pages.has(destination.page)) return [{ ...bookmark, children }];
    if (!destination && keepsActions) return [{ ...bookmark, children }];
    const first = children[0]?.destination;
    return children.length > 0 ? [{ ...rest, destination: first, children }] : [];
  });
}

/** A bookmark with values of the written file. */
export interface WrittenBookmark {
  readonly title: PdfString | PdfValue;
  readonly target: PdfDict;
  readonly look?: PdfDict;
  readonly isOpen: boolean;
  readonly children: readonly WrittenBookmark[];
}

/** Writes the outline. Returns undefined if there are no bookmarks. */
export function writeBookmarks(
  writer: PdfWriter,
  bookmarks: readonly WrittenBookmark[],
): PdfRef | undefined {
  if (bookmarks.length === 0) return undefined;
  const root = writer.allocate();
  const level = writeLevel(writer, bookmarks, root);
  writer.write(root, { "/Type": "/Outlines", ...level.ends, "/Count": level.shown });
  return root;
}

function writeLevel(writer: PdfWriter, bookmarks: readonly WrittenBookmark[], parent: PdfRef) {
  const refs = bookmarks.map(() => writer.allocate());
  let shown = 0;
  for (const [index, { title, target, look = {}, isOpen, children }] of bookmarks.entries()) {
    const ref = refs[index];
    const previous = refs[index - 1];
    const next = refs[index + 1];
    if (!ref) continue;
    const below = children.length > 0 ? writeLevel(writer, children, ref) : undefined;
    shown += 1 + (isOpen && below ? below.shown : 0);
    writer.write(ref, {
      "/Title": title,
      "/Parent": parent,
      ...target,
      ...look,
      ...(previous ? { "/Prev": previous } : {}),
      ...(next ? { "/Next": next } : {}),
      ...(below ? { ...below.ends, "/Count": isOpen ? below.shown : -below.shown } : {}),
    });
  }
  const first = refs[0] ?? null;
  const last = refs.at(-1) ?? null;
  return { ends: { "/First": first, "/Last": last }, shown };
}
