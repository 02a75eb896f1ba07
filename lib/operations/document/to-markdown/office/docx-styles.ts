import type { Element } from "@xmldom/xmldom";
import type { DocumentPackage } from "#lib/formats/office/package/read-package.ts";
import { attribute, child, children, numberAttribute } from "#lib/formats/office/package/xml.ts";

/** What the styles and the numbering of a DOCX say about paragraphs. */

export interface ParagraphStyle {
  /** The level of the heading, from 1 to 6; 0 is the title. */
  readonly heading?: number | undefined;
  readonly list?: ListReference | undefined;
  /** An entry of a table of contents. */
  readonly isContents: boolean;
  readonly isCode: boolean;
  readonly isQuote: boolean;
}

export interface ListReference {
  readonly id: string;
  /** The level of the list's numbering, from 0. */
  readonly level: number;
  /** How deep an item is nested, from 0: Word's styles such as "List Bullet 2" are lists of their own. */
  readonly depth: number;
}

/** The levels of a list. */
export interface ListLevel {
  readonly isOrdered: boolean;
  readonly start: number;
}

export class DocxStyles {
  readonly #styles: ReadonlyMap<string, Element>;
  readonly #levels: ReadonlyMap<string, ReadonlyMap<number, ListLevel>>;

  private constructor(
    styles: ReadonlyMap<string, Element>,
    levels: ReadonlyMap<string, ReadonlyMap<number, ListLevel>>,
  ) {
    this.#styles = styles;
    this.#levels = levels;
  }

  static async read(document: DocumentPackage): Promise<DocxStyles> {
    const styles = await document.readXml("word/styles.xml");
    const numbering = await document.readXml("word/numbering.xml");
    const rows = styles?.documentElement ? children(styles.documentElement, "style") : [];
    const byId = new Map(rows.map((style) => [attribute(style, "styleId") ?? "", style]));
    return new DocxStyles(byId, readNumbering(numbering?.documentElement ?? undefined));
  }

  /** The style of a paragraph with the properties `pPr`. */
  paragraph(properties: Element | undefined): ParagraphStyle {
    const chain = this.#chain(attribute(child(properties, "pStyle"), "val"));
    const names = chain.map((style) => attribute(child(style, "name"), "val") ?? "");
    const sources = [properties, ...chain.map((style) => child(style, "pPr"))];
    const outline = first(sources, (one) => numberAttribute(child(one, "outlineLvl"), "val"));
    const named = first(names, readHeadingName);
    const id = first(sources, (one) => attribute(child(one, "numPr", "numId"), "val"));
    const level = first(sources, (one) => numberAttribute(child(one, "numPr", "ilvl"), "val"));
    const depth = Math.max(level ?? 0, first(names, readListDepth) ?? 0);
    return {
      heading: named ?? (outline !== undefined && outline < 6 ? outline + 1 : undefined),
      list: id === undefined || id === "0" ? undefined : { id, level: level ?? 0, depth },
      isContents: names.some((name) =>
        /^(toc \d|contents \d|toc heading|table of figures)$/i.test(name),
      ),
      isCode: names.some((name) => /(code|preformatted|html pre|macro)/i.test(name)),
      isQuote: names.some((name) => /(quote|quotations)/i.test(name)),
    };
  }

  /** A character style's own properties, the nearest first. */
  character(id: string | undefined): Element[] {
    return this.#chain(id).flatMap((style) => child(style, "rPr") ?? []);
  }

  listLevel({ id, level }: Pick<ListReference, "id" | "level">): ListLevel {
    return this.#levels.get(id)?.get(level) ?? { isOrdered: false, start: 1 };
  }

  /** A style and those that it is based on. */
  #chain(id: string | undefined): Element[] {
    const chain: Element[] = [];
    for (let next = id; next !== undefined && chain.length < 20; ) {
      const style = this.#styles.get(next);
      if (!style) break;
      chain.push(style);
      next = attribute(child(style, "basedOn"), "val");
    }
    return chain;
  }
}

function readHeadingName(name: string): number | undefined {
  if (/^title$/i.test(name)) return 0;
  const level = Number(/^heading ([1-9])$/i.exec(name)?.[1]);
  return level ? Math.min(level, 6) : undefined;
}

/** The depth of items with one of Word's own list styles. */
function readListDepth(name: string): number | undefined {
  const number = Number(/^list(?: bullet| number)? ([2-5])$/i.exec(name)?.[1]);
  return number ? number - 1 : undefined;
}

function first<Source, Value>(
  sources: readonly Source[],
  read: (source: Source) => Value | undefined,
): Value | undefined {
  for (const source of sources) {
    const value = read(source);
    if (value !== undefined) return value;
  }
  return undefined;
}

function readNumbering(root: Element | undefined): Map<string, Map<number, ListLevel>> {
  const abstract = new Map(
    (root ? children(root, "abstractNum") : []).map((one) => [
      attribute(one, "abstractNumId"),
      one,
    ]),
  );
  return new Map(
    (root ? children(root, "num") : []).map((list) => {
      const definition = abstract.get(attribute(child(list, "abstractNumId"), "val"));
      const levels = new Map<number, ListLevel>();
      for (const level of definition ? children(definition, "lvl") : []) {
        const format = attribute(child(level, "numFmt"), "val") ?? "decimal";
        levels.set(numberAttribute(level, "ilvl") ?? 0, {
          isOrdered: format !== "bullet" && format !== "none",
          start: numberAttribute(child(level, "start"), "val") ?? 1,
        });
      }
      for (const override of children(list, "lvlOverride")) {
        const start = numberAttribute(child(override, "startOverride"), "val");
        const number = numberAttribute(override, "ilvl") ?? 0;
        const level = levels.get(number);
        if (level && start !== undefined) levels.set(number, { ...level, start });
      }
      return [attribute(list, "numId") ?? "", levels];
    }),
  );
}
