import type { PdfFile } from "../objects/file.ts";
import {
  isArray,
  isDict,
  type PdfArray,
  type PdfDict,
  PdfRef,
  type PdfValue,
  without,
} from "../objects/values.ts";
import { readNumberTree, type TreeEntry } from "./trees.ts";

/** The elements of a tagged PDF (ISO 32000-1, 14.7): headings, paragraphs, tables … */

export interface SelectedStructure {
  readonly kids: PdfArray;
  readonly parents: readonly TreeEntry<number>[];
}

const maxElements = 2_000_000;

export class StructureTree {
  readonly root: PdfDict;
  /** The object number of the root; undefined if the file has no tags. */
  readonly rootNumber: number | undefined;
  readonly #file: PdfFile;
  #index: StructureIndex | undefined;

  constructor(file: PdfFile) {
    const root = file.catalog["/StructTreeRoot"];
    this.#file = file;
    this.root = file.dict(root);
    this.rootNumber =
      root instanceof PdfRef && isDict(file.resolve(root)) ? root.number : undefined;
  }

  /** All elements. */
  selectAll(): SelectedStructure {
    const parents = readNumberTree(this.#file, this.root["/ParentTree"]);
    return { kids: toArray(this.#file, this.root["/K"]), parents };
  }

  /**
   * The elements with content on `pages` (object numbers), those above them, and empty ones below them.
   * Changes the file: elements lose all others.
   */
  select(pages: ReadonlySet<number>): SelectedStructure {
    this.#index ??= indexStructure(this.#file, this.root);
    const { elementsOf, parentOf, keysOf, entries, empty } = this.#index;
    const kept = new Set<number>();
    const keys = new Set<number>();
    for (const page of pages) {
      for (const element of elementsOf.get(page) ?? []) {
        for (const key of keysOf.get(element) ?? []) keys.add(key);
        let above: number | undefined = element;
        while (above !== undefined && !kept.has(above)) {
          kept.add(above);
          above = parentOf.get(above);
        }
      }
    }
    const isKept = (value: PdfValue) =>
      value instanceof PdfRef && (kept.has(value.number) || empty.has(value.number));
    const selectKids = (dict: PdfDict): PdfValue[] =>
      toArray(this.#file, dict["/K"]).filter((kid) => {
        const page = contentPage(this.#file, kid, dict);
        return page === undefined ? isKept(kid) : pages.has(page);
      });
    for (const element of kept) {
      const ref = new PdfRef(element);
      const dict = this.#file.dict(ref);
      this.#file.set(ref, { ...without(dict, "/Ref"), "/K": selectKids(dict) });
    }
    const parents = [...keys].map((key): TreeEntry<number> => {
      const value = this.#file.resolve(entries.get(key));
      const entry = isArray(value)
        ? value.map((item) => (isKept(item) ? item : null))
        : (entries.get(key) ?? null);
      return [key, entry];
    });
    return { kids: selectKids(this.root), parents };
  }
}

interface StructureIndex {
  /** Elements with content on a page, by the object number of the page. */
  readonly elementsOf: ReadonlyMap<number, readonly number[]>;
  readonly parentOf: ReadonlyMap<number, number>;
  /** Keys of the parent tree that lead to an element. */
  readonly keysOf: ReadonlyMap<number, readonly number[]>;
  readonly entries: ReadonlyMap<number, PdfValue>;
  /** Elements without any content, such as empty cells of a table. */
  readonly empty: ReadonlySet<number>;
}

function indexStructure(file: PdfFile, root: PdfDict): StructureIndex {
  const elementsOf = new Map<number, number[]>();
  const parentOf = new Map<number, number>();
  const order: number[] = [];
  const seen = new Set<number>();
  const filled = new Set<number>();
  const pending: { readonly ref: PdfRef; readonly above: number | undefined }[] = [];
  const push = (kids: PdfArray, above: number | undefined) => {
    for (const ref of kids) if (ref instanceof PdfRef) pending.push({ ref, above });
  };
  push(toArray(file, root["/K"]), undefined);
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { number } = next.ref;
    if (seen.has(number) || seen.size > maxElements) continue;
    seen.add(number);
    order.push(number);
    if (next.above !== undefined) parentOf.set(number, next.above);
    const dict = file.dict(next.ref);
    const kids = toArray(file, dict["/K"]);
    const elements: PdfValue[] = [];
    for (const kid of kids) {
      const page = contentPage(file, kid, dict);
      if (page === undefined) elements.push(kid);
      else {
        filled.add(number);
        if (elementsOf.get(page)?.at(-1) === number) continue;
        append(elementsOf, page, number);
      }
    }
    push(elements, number);
  }
  // An element comes after the one above it, so that this goes from the leaves to the root.
  for (const number of order.toReversed()) {
    const above = parentOf.get(number);
    if (above !== undefined && filled.has(number)) filled.add(above);
  }
  const entries = new Map(readNumberTree(file, root["/ParentTree"]));
  const keysOf = new Map<number, number[]>();
  for (const [key, value] of entries) {
    const resolved = file.resolve(value);
    for (const item of isArray(resolved) ? new Set(resolved) : [value]) {
      if (item instanceof PdfRef) append(keysOf, item.number, key);
    }
  }
  const empty = new Set(order.filter((number) => !filled.has(number)));
  return { elementsOf, parentOf, keysOf, entries, empty };
}

function append(map: Map<number, number[]>, key: number, value: number): void {
  const list = map.get(key);
  if (!list) map.set(key, [value]);
  else if (list.at(-1) !== value) list.push(value);
}

/** The page of a kid that is content (-1 if it is on none); undefined if it is an element. */
function contentPage(file: PdfFile, kid: PdfValue, element: PdfDict): number | undefined {
  const pageOf = (page: PdfValue | undefined) => (page instanceof PdfRef ? page.number : -1);
  if (typeof kid === "number") return pageOf(element["/Pg"]);
  const dict = file.dict(kid);
  const isContent = dict["/Type"] === "/MCR" || dict["/Type"] === "/OBJR";
  return isContent ? pageOf(dict["/Pg"] ?? element["/Pg"]) : undefined;
}

/** `/K` is one kid or an array of them. */
function toArray(file: PdfFile, value: PdfValue | undefined): PdfArray {
  const resolved = file.resolve(value);
  if (isArray(resolved)) return resolved;
  return resolved === null || value === undefined ? [] : [value];
}
