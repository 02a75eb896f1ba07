import { PdfCopier } from "../objects/copier.ts";
import type { PdfFile } from "../objects/file.ts";
import { textString } from "../objects/text.ts";
import {
  isArray,
  type PdfDict,
  type PdfName,
  type PdfRef,
  type PdfString,
  type PdfValue,
  without,
} from "../objects/values.ts";
import type { PdfWriter } from "../objects/writer.ts";
import { selectAnnotations } from "./annotations.ts";
import { CatalogParts } from "./catalog-parts.ts";
import { copyBookmark, createBookmark, goTo, type NewBookmark } from "./copy-bookmarks.ts";
import { type CopiedCatalog, copyCatalog, type DocumentMetadata } from "./copy-catalog.ts";
import { renameFields, selectFields } from "./form-fields.ts";
import { selectBookmarks, type WrittenBookmark, writeBookmarks } from "./outline.ts";
import { defaultLabels, labelRanges, type PageLabel } from "./page-labels.ts";
import { writePageTree } from "./page-tree.ts";
import type { PdfSource } from "./source.ts";
import { type TreeEntry, writeNameTree, writeNumberTree } from "./trees.ts";

export interface AddedPages {
  /** Indexes of the pages, in the order that they get. By default all. */
  readonly indexes?: readonly number[];
  /** The title of a bookmark for this file, above its own bookmarks. */
  readonly title?: string;
  /** Whether the bookmarks of the file are kept. By default they are. */
  readonly keepsBookmarks?: boolean;
  /** Bookmarks instead of those of the file; `page` is the index of one of the added pages. */
  readonly bookmarks?: readonly NewBookmark[];
  /** Whether the files that are attached to the document are copied. By default they are. */
  readonly attachments?: boolean;
  /**
   * Changes a page, which has values of the written file. Its `/Contents` is an array, and its
   * `/Resources` and the dictionaries in it are written in it. `added`: the position among the pages.
   */
  readonly change?: (page: PdfDict, added: number) => PdfDict;
}

export interface AssemblyOptions {
  /** Whether the pages are those of several files. */
  readonly isMerge?: boolean;
  /** The properties of the result; those of the first file by default. */
  readonly metadata?: DocumentMetadata;
}

/**
 * Writes a PDF with pages of one or more others. Bookmarks, links, named destinations, form fields, tags
 * and page labels of the pages are kept; those that lead to other pages are removed. Fields and
 * destinations of different files never get the same name. All else is that of the first file.
 */
export class PdfAssembly {
  readonly #writer: PdfWriter;
  readonly #isMerge: boolean;
  readonly #metadata: DocumentMetadata | undefined;
  readonly #tree: PdfRef;
  readonly #pages: { readonly ref: PdfRef; readonly dict: PdfDict }[] = [];
  readonly #labels: PageLabel[] = [];
  #hasLabels = false;
  readonly #bookmarks: WrittenBookmark[] = [];
  readonly #destinations: TreeEntry<PdfString>[] = [];
  readonly #fieldNames = new Set<string>();
  readonly #parts = new CatalogParts();
  /** What the top elements of the tags are below: the root, or in a merge an element for all files. */
  #structureTop: PdfRef | undefined;
  /** What the file has of the first one. */
  #copied: CopiedCatalog | undefined;

  constructor(writer: PdfWriter, { isMerge = false, metadata }: AssemblyOptions = {}) {
    this.#writer = writer;
    this.#metadata = metadata;
    this.#isMerge = isMerge;
    this.#tree = writer.allocate();
  }

  get pages(): number {
    return this.#pages.length;
  }

  add(source: PdfSource, options: AddedPages = {}): void {
    const {
      indexes,
      title,
      attachments = true,
      change,
      keepsBookmarks = true,
      bookmarks,
    } = options;
    const { file, pages, labels, structure } = source;
    file.reset();
    const structureOffset = this.#parts.nextStructureKey;
    const copier = new PdfCopier(file, this.#writer, { structureOffset });
    const chosen = indexes ?? pages.keys().toArray();
    const added = chosen.flatMap((index) => pages[index] ?? []);
    const isWhole = new Set(chosen).size === pages.length;
    for (const { number } of pages) if (number !== undefined) copier.replace(number, null);
    const refs = added.map(() => this.#writer.allocate());
    const kept = new Set<number>();
    for (const [at, { number }] of added.entries()) {
      if (number === undefined || kept.has(number)) continue;
      kept.add(number);
      copier.replace(number, refs[at] ?? null);
    }
    const rules = { destinations: source.destinations, pages: kept, resolvesNames: this.#isMerge };
    const annotations = added.map((page) => selectAnnotations(file, page, rules));
    const widgets = new Set(annotations.flatMap((selected) => selected.widgets));
    const fields = selectFields(file, widgets, isWhole);
    if (this.#isMerge) renameFields(file, fields.roots, this.#fieldNames);
    this.#parts.addForm(source, copier, fields, { isWhole, isMerge: this.#isMerge });
    this.#addStructure(source, copier, isWhole ? undefined : kept);
    for (const [at, page] of added.entries()) {
      const values = annotations[at]?.values ?? [];
      const expanded = change ? expandPage(file, page.dict) : page.dict;
      const own = without(expanded, "/Parent", "/Annots", ...(isWhole ? [] : ["/B" as const]));
      const dict = { ...own, ...(values.length > 0 ? { "/Annots": values } : {}) };
      const ref = refs[at];
      // `value` of a dictionary is one.
      const copied = copier.value(dict) as PdfDict;
      if (ref) this.#pages.push({ ref, dict: change?.(copied, at) ?? copied });
    }
    this.#hasLabels ||= labels !== undefined;
    const known = labels ?? defaultLabels(pages.length);
    this.#labels.push(...chosen.flatMap((index) => known[index] ?? []));
    const own = selectBookmarks(source.bookmarks, kept, isWhole);
    const written = bookmarks
      ? bookmarks.map((bookmark) => createBookmark(bookmark, refs))
      : keepsBookmarks
        ? own.map((bookmark) => copyBookmark(bookmark, copier))
        : [];
    const top: PdfDict = refs[0] ? goTo(refs[0]) : {};
    if (title === undefined) this.#bookmarks.push(...written);
    else
      this.#bookmarks.push({
        title: textString(title),
        target: top,
        isOpen: false,
        children: written,
      });
    if (!this.#isMerge) this.#addDestinations(source, copier, kept);
    this.#parts.addNames(source, copier, { isWhole, isMerge: this.#isMerge, attachments });
    this.#parts.addLayers(source, copier);
    this.#copied ??= copyCatalog(source, copier, this.#writer, {
      kept,
      isMerge: this.#isMerge,
      metadata: this.#metadata,
    });
    if (structure.rootNumber === undefined) this.#parts.isTagged = false;
    copier.finish();
  }

  /** Writes everything else and closes the file. */
  finish(): void {
    const writer = this.#writer;
    writePageTree(writer, this.#tree, this.#pages.length, (index, parent) => {
      const page = this.#pages[index];
      if (!page) throw new Error("a page is missing");
      writer.write(page.ref, { ...page.dict, "/Parent": parent });
      return page.ref;
    });
    const outlines = writeBookmarks(writer, this.#bookmarks);
    const labels = this.#hasLabels ? writeNumberTree(writer, labelRanges(this.#labels)) : undefined;
    const destinations =
      this.#destinations.length > 0 ? writeNameTree(writer, this.#destinations) : undefined;
    const showsBookmarks = this.#isMerge && outlines !== undefined;
    const root = writer.add({
      ...(showsBookmarks ? { "/PageMode": "/UseOutlines" } : {}),
      ...this.#copied?.catalog,
      "/Type": "/Catalog",
      "/Pages": this.#tree,
      ...(outlines ? { "/Outlines": outlines } : {}),
      ...(labels ? { "/PageLabels": labels } : {}),
      ...this.#parts.finish(writer, destinations),
      ...this.#finishStructure(),
    });
    const { info, originalId } = this.#copied ?? {};
    writer.finish({ root, info, originalId });
  }

  #addStructure(
    source: PdfSource,
    copier: PdfCopier,
    pages: ReadonlySet<number> | undefined,
  ): void {
    const { rootNumber } = source.structure;
    if (rootNumber === undefined) return;
    this.#structureTop ??= this.#writer.allocate();
    copier.replace(rootNumber, this.#structureTop);
    const selected = pages ? source.structure.select(pages) : source.structure.selectAll();
    this.#parts.addStructure(source, copier, selected);
  }

  #finishStructure(): PdfDict {
    const top = this.#structureTop;
    if (!top) return {};
    if (!this.#isMerge) return this.#parts.finishStructure(this.#writer, top);
    const root = this.#writer.allocate();
    // A document has one top element.
    const element: PdfDict = { "/Type": "/StructElem", "/S": "/Document", "/P": root };
    this.#writer.write(top, { ...element, "/K": this.#parts.structureKids });
    return this.#parts.finishStructure(this.#writer, root, [top]);
  }

  #addDestinations(
    { destinations }: PdfSource,
    copier: PdfCopier,
    kept: ReadonlySet<number>,
  ): void {
    for (const { name, destination } of destinations.named) {
      if (!kept.has(destination.page)) continue;
      this.#destinations.push([name, copier.value(destination.value)]);
    }
  }
}

/** The page with its resources and the list of its contents written in it. */
function expandPage(file: PdfFile, page: PdfDict): PdfDict {
  const resources: Record<PdfName, PdfValue> = {};
  for (const [name, value] of Object.entries(file.dict(page["/Resources"]))) {
    resources[name as PdfName] = file.resolve(value);
  }
  const contents = file.resolve(page["/Contents"]);
  const single = contents === null ? [] : [page["/Contents"] ?? null];
  return {
    ...page,
    "/Resources": resources,
    "/Contents": isArray(contents) ? contents : single,
  };
}
