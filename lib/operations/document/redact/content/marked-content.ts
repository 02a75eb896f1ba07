import { PDFDict, PDFName, PDFNumber } from "@cantoo/pdf-lib";
import { key } from "#lib/formats/pdf/forms/collect-fields.ts";
import { type Rewriter, UncertainContent } from "./rewriter.ts";
import type { Operand, Operation } from "./tokenize.ts";

/** Entries with text for readers, which could repeat the glyphs of a content (ISO 32000-1, 14.9). */
export const textEntries = ["ActualText", "Alt", "E"];

/** Whether a property list has text that can be removed. Layers are needed as they are. */
export function hasRemovableText(properties: PDFDict): boolean {
  const type = properties.lookup(key("Type"));
  const isLayer = type === key("OCG") || type === key("OCMD");
  return !isLayer && textEntries.some((name) => properties.has(key(name)));
}

const maxOpen = 10_000;

/** Follows the marked-content sequences (ISO 32000-1, 14.6) that enclose the content. */
export class MarkedContent {
  readonly #rewriter: Rewriter;
  readonly #resources: PDFDict;
  /** The identifiers of the open sequences; undefined for those that have none. */
  readonly #open: (number | undefined)[] = [];
  /** How many of the open sequences are already known to lose something. */
  #known = 0;
  readonly #renamed = new Map<PDFDict, string>();

  constructor(rewriter: Rewriter, resources: PDFDict) {
    this.#rewriter = rewriter;
    this.#resources = resources;
  }

  /** The operation without text for readers; undefined if it stays as it is. */
  apply(operation: Operation): string | undefined {
    const { operator, operands } = operation;
    if (operator === "EMC") {
      this.#open.pop();
      this.#known = Math.min(this.#known, this.#open.length);
    }
    if (operator === "BMC") this.#begin(undefined);
    if (operator !== "BDC" && operator !== "DP") return undefined;
    const properties = operands.at(-1);
    const named = properties?.kind === "name" ? this.#find(properties.text) : undefined;
    if (operator === "BDC") this.#begin(named ? identifierOf(named) : inlineIdentifier(properties));
    return named ? this.#renameList(operation, named) : cleanInline(operation);
  }

  /** The identifiers of the enclosing sequences, but for those that were taken before. */
  takeIdentifiers(): number[] {
    const taken = this.#open.slice(this.#known);
    this.#known = this.#open.length;
    return taken.filter((identifier) => identifier !== undefined);
  }

  #begin(identifier: number | undefined): void {
    this.#open.push(identifier);
    if (this.#open.length > maxOpen) throw new UncertainContent("too many marks");
  }

  #find(name: string): PDFDict | undefined {
    const lists = this.#resources.lookup(key("Properties"));
    const found = lists instanceof PDFDict ? lists.lookup(PDFName.of(name)) : undefined;
    return found instanceof PDFDict ? found : undefined;
  }

  #renameList({ operator, operands }: Operation, properties: PDFDict): string | undefined {
    if (!hasRemovableText(properties)) return undefined;
    let name = this.#renamed.get(properties);
    if (name === undefined) {
      name = this.#rewriter.replaceProperties(properties, this.#resources);
      this.#renamed.set(properties, name);
    }
    return `${operands[0]?.raw ?? "/Span"} /${name} ${operator}`;
  }
}

function identifierOf(properties: PDFDict): number | undefined {
  const value = properties.lookup(key("MCID"));
  return value instanceof PDFNumber ? value.asNumber() : undefined;
}

function inlineIdentifier(properties: Operand | undefined): number | undefined {
  const items = properties?.items ?? [];
  const at = items.findIndex(({ kind, text }) => kind === "name" && text === "MCID");
  const value = Number.parseInt(items[at + 1]?.raw ?? "", 10);
  return at < 0 || Number.isNaN(value) ? undefined : value;
}

function cleanInline({ operator, operands }: Operation): string | undefined {
  const properties = operands.at(-1);
  if (!properties?.items.some(({ text }) => textEntries.includes(text))) return undefined;
  const identifier = inlineIdentifier(properties);
  const kept = identifier === undefined ? "" : `/MCID ${identifier}`;
  return `${operands[0]?.raw ?? "/Span"} <<${kept}>> ${operator}`;
}
