import type { PdfFile } from "../objects/file.ts";
import { stringBytes } from "../objects/text.ts";
import {
  isArray,
  isDict,
  type PdfArray,
  type PdfDict,
  PdfRef,
  PdfString,
  type PdfValue,
} from "../objects/values.ts";
import type { PdfPage } from "./page-tree.ts";
import { readNameTree } from "./trees.ts";

/** Where links and bookmarks lead to. */

/** A destination in a page, such as `[page /XYZ 0 700 0]`, and the object number of its page. */
export interface Destination {
  readonly page: number;
  /** The destination, with the reference to the page as its first item. */
  readonly value: PdfArray;
}

export interface NamedDestination {
  readonly name: PdfString;
  readonly destination: Destination;
}

/** Resolves the destinations of one file. */
export class Destinations {
  readonly #file: PdfFile;
  readonly #pages: readonly PdfPage[];
  readonly #byName = new Map<string, NamedDestination>();

  constructor(file: PdfFile, pages: readonly PdfPage[]) {
    this.#file = file;
    this.#pages = pages;
    const { catalog } = file;
    // Of PDF 1.1, with names instead of strings.
    for (const [name, value] of Object.entries(file.dict(catalog["/Dests"]))) {
      this.#add(new PdfString(`(${name.slice(1).replace(/[\\()]/g, "\\$&")})`), value);
    }
    const names = readNameTree(file, file.dict(catalog["/Names"])["/Dests"]);
    for (const [name, value] of names) this.#add(name, value);
  }

  get named(): readonly NamedDestination[] {
    return [...this.#byName.values()];
  }

  /** Resolves a destination. Returns undefined if it leads to no page of the file. */
  resolve(value: PdfValue | undefined): Destination | undefined {
    const found = this.#file.resolve(value);
    if (found instanceof PdfString) return this.#byName.get(nameKey(found))?.destination;
    if (typeof found === "string") return this.#byName.get(found.slice(1))?.destination;
    return this.#explicit(isDict(found) ? this.#file.resolve(found["/D"]) : found);
  }

  /** Where a link or a bookmark leads to: its `/Dest`, or its action if that stays in the document. */
  targetOf(dict: PdfDict): { readonly destination: Destination | undefined } | undefined {
    if (dict["/Dest"] !== undefined) return { destination: this.resolve(dict["/Dest"]) };
    const action = this.#file.dict(dict["/A"]);
    if (action["/S"] !== "/GoTo") return undefined;
    return { destination: this.resolve(action["/D"]) };
  }

  #add(name: PdfString, value: PdfValue): void {
    const found = this.#file.resolve(value);
    const destination = this.#explicit(isDict(found) ? this.#file.resolve(found["/D"]) : found);
    if (destination) this.#byName.set(nameKey(name), { name, destination });
  }

  #explicit(value: PdfValue): Destination | undefined {
    if (!isArray(value)) return undefined;
    const [target, ...view] = value;
    // Some programs write the index of the page, which is meant for links to other files.
    const page = typeof target === "number" ? this.#pages[target]?.number : undefined;
    const number = target instanceof PdfRef ? target.number : page;
    if (number === undefined) return undefined;
    return { page: number, value: [new PdfRef(number), ...view] };
  }
}

function nameKey(name: PdfString): string {
  return stringBytes(name).toString("latin1");
}
