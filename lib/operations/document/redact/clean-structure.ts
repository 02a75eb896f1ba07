import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFNumber,
  type PDFObject,
  PDFStream,
} from "@cantoo/pdf-lib";
import { key } from "#lib/formats/pdf/forms/collect-fields.ts";
import { textEntries } from "./content/marked-content.ts";
import type { Losses } from "./losses.ts";

const maxDepth = 500;

/** Entries of an element whose text could repeat its content. */
const elementTexts = [...textEntries, "T"];

/** The same of its attributes (14.8.5, 14.7.6.4): a table's summary, a field's description, and user properties. */
const attributeTexts = ["Summary", "Short", "Desc", "P"];

/**
 * Removes the texts of structure elements (ISO 32000-1, 14.7) whose content, or a part of it, was removed, and their
 * references to what was replaced.
 */
export function cleanStructure(document: PDFDocument, losses: Losses): void {
  const root = document.catalog.lookup(key("StructTreeRoot"));
  if (root instanceof PDFDict) new StructureCleaner(losses).cleanElement(root, undefined, 0);
}

/** What happened to an item of an element. */
interface ItemState {
  readonly isLost: boolean;
  /** Whether the item stays; a picture of a page has no marked content. */
  readonly isKept: boolean;
}

class StructureCleaner {
  readonly #losses: Losses;
  readonly #seen = new Set<PDFDict>();

  constructor(losses: Losses) {
    this.#losses = losses;
  }

  /** Whether content of the element, or of elements in it, was removed. */
  cleanElement(element: PDFDict, outerPage: PDFObject | undefined, depth: number): boolean {
    if (depth > maxDepth || this.#seen.has(element)) return false;
    this.#seen.add(element);
    const page = element.lookup(key("Pg")) ?? outerPage;
    const given = element.get(key("K"));
    const kids = element.lookup(key("K"));
    const items = kids instanceof PDFArray ? kids.asArray() : given ? [given] : [];
    const states = items.map((item) =>
      this.#cleanItem(element.context.lookup(item), page, depth + 1),
    );
    const kept = items.filter((_, index) => states[index]?.isKept);
    if (kept.length < items.length) element.set(key("K"), element.context.obj(kept));
    const isLost = states.some((state) => state.isLost);
    if (isLost) removeTexts(element);
    return isLost;
  }

  #cleanItem(item: PDFObject | undefined, page: PDFObject | undefined, depth: number): ItemState {
    if (item instanceof PDFNumber) return this.#contentState(page, page, item);
    if (!(item instanceof PDFDict)) return { isLost: false, isKept: true };
    const ownPage = item.lookup(key("Pg")) ?? page;
    if (item.lookup(key("Type")) === key("OBJR")) return this.#cleanReference(item, ownPage);
    const identifier = item.lookup(key("MCID"));
    if (!(identifier instanceof PDFNumber)) {
      return { isLost: this.cleanElement(item, page, depth), isKept: true };
    }
    const form = this.#followReplaced(item, "Stm");
    return this.#contentState(form ?? ownPage, ownPage, identifier);
  }

  #contentState(
    owner: PDFObject | undefined,
    page: PDFObject | undefined,
    identifier: PDFNumber,
  ): ItemState {
    const { marked } = this.#losses;
    const isOfPicture = this.#isPicture(page);
    const isLost = owner !== undefined && marked.get(owner)?.has(identifier.asNumber()) === true;
    return { isLost: isLost || isOfPicture, isKept: !isOfPicture };
  }

  /** A reference to a whole XObject or annotation. */
  #cleanReference(item: PDFDict, page: PDFObject | undefined): ItemState {
    const object = this.#followReplaced(item, "Obj");
    const isOfPicture = object instanceof PDFStream && this.#isPicture(page);
    const isLost = object === undefined || this.#losses.replaced.has(object) || isOfPicture;
    return { isLost, isKept: !isOfPicture };
  }

  /** The object of an entry, which refers to the new object from now on if there is one. */
  #followReplaced(item: PDFDict, name: string): PDFObject | undefined {
    const object = item.lookup(key(name));
    const ref = object && this.#losses.replaced.get(object);
    if (ref) item.set(key(name), ref);
    return object;
  }

  #isPicture(page: PDFObject | undefined): boolean {
    return page instanceof PDFDict && this.#losses.pictures.has(page);
  }
}

function removeTexts(element: PDFDict): void {
  for (const name of elementTexts) element.delete(key(name));
  const given = element.lookup(key("A"));
  for (const item of given instanceof PDFArray ? given.asArray() : [given]) {
    const attributes = element.context.lookup(item);
    if (!(attributes instanceof PDFDict)) continue;
    for (const name of attributeTexts) attributes.delete(key(name));
  }
}
