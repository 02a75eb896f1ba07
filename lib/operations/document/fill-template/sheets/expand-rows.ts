import type { Element } from "@xmldom/xmldom";
import { JobError } from "#lib/errors.ts";
import { attribute, children } from "#lib/formats/office/package/xml.ts";
import type { GrowthLimit, Scope } from "../tags/scope.ts";
import { findClose, rawTag, splitTags, type Tag, unexpectedClose } from "../tags/tags.ts";
import { isBlankRow, templateText } from "./cells.ts";
import { maxRow, type RowMap } from "./references.ts";
import { RowLevel, type RowSpan } from "./row-level.ts";

/** A row of the filled sheet. */
export interface FilledRow {
  readonly element: Element;
  readonly scope: Scope;
  /** Its number in the template. */
  readonly source: number;
  readonly row: number;
}

/** Repeats and removes the rows of sections. */
export class RowExpansion implements RowMap {
  readonly rows: FilledRow[] = [];
  readonly #sheet: string;
  readonly #limit: GrowthLimit;
  readonly #outer = new RowLevel();
  readonly #levels = new Map<number, RowLevel>();

  constructor(rows: readonly Element[], scope: Scope, sheet: string, limit: GrowthLimit) {
    this.#sheet = sheet;
    this.#limit = limit;
    this.#expand(rows, scope, this.#outer);
  }

  find(row: number, near = 0): RowSpan {
    let level = this.#levels.get(near) ?? this.#outer;
    while (level.parent && !level.covers(row)) level = level.parent;
    return level.find(row);
  }

  /** The last new row of `row` in the repetition that the new row `near` belongs to; undefined outside of it. */
  lastInRepetition(row: number, near: number): number | undefined {
    const level = this.#levels.get(near);
    return level?.parent && level.covers(row) ? level.find(row).last : undefined;
  }

  /** Counts elements that are repeated with the rows. Throws `JobError("too_complex")`. */
  countElements(elements: number): void {
    this.#limit.repeat(elements);
  }

  /** Adds the rows of a level. Returns the shift of the rows after them. */
  #expand(rows: readonly Element[], scope: Scope, level: RowLevel): number {
    let { shift } = level;
    const tags = rows.flatMap((row, index) => openTags(row, index, this.#sheet));
    let next = 0;
    for (let index = 0; index < rows.length; index++) {
      const element = rows[index] as Element;
      const source = rowNumber(element);
      while ((tags[next]?.index ?? Infinity) < index) next++;
      const start = tags[next]?.index === index ? tags[next] : undefined;
      if (!start) {
        const row = source + shift;
        if (row > maxRow) throw new JobError("too_complex", "A sheet would have too many rows.");
        this.rows.push({ element, scope, source, row });
        this.#levels.set(row, level);
        level.addRow(source, row);
        continue;
      }
      if (start.tag.kind === "close") throw unexpectedClose(start);
      const end = tags[findClose(tags, next)];
      if (!end) throw new Error("a tag is missing");
      removeTag(start);
      removeTag(end);
      const section = rows.slice(index, end.index + 1);
      const lastRow = rowNumber(section.at(-1) ?? element);
      const isSingle = start.index === end.index;
      const units = section.filter(
        (row, position) =>
          isSingle || !(isBlankRow(row) && (position === 0 || position === section.length - 1)),
      );
      const from = source + (units[0] === element ? 0 : 1);
      const to = lastRow - (units.at(-1) === section.at(-1) ? 0 : 1);
      let position = source + shift;
      const begin = position;
      for (const inner of scope.repeat(start.tag, start.place)) {
        this.#limit.repeat(units.reduce((sum, row) => sum + children(row).length * 3 + 1, 0));
        const copies = units.map((row) => row.cloneNode(true) as Element);
        const repetition = new RowLevel(level, position - from, from, to);
        position = to + 1 + this.#expand(copies, inner, repetition);
      }
      level.addSection({ from: source, to: lastRow, start: begin, end: position });
      shift = position - (lastRow + 1);
      index = end.index;
    }
    return shift;
  }
}

interface RowTag {
  readonly tag: Tag;
  readonly place: string;
  readonly cell: Element;
  readonly index: number;
}

/** The tags of sections that are not closed in the cell in which they are opened. */
function openTags(row: Element, index: number, sheet: string): RowTag[] {
  return children(row, "c").flatMap((cell) => {
    const text = attribute(cell, templateText);
    if (!text) return [];
    const place = cellPlace(sheet, cell);
    const open: Tag[] = [];
    for (const tag of splitTags(text, place)) {
      if (typeof tag === "string" || tag.kind === "value" || tag.kind === "picture") continue;
      const last = open.at(-1);
      const isClosed = tag.kind === "close" && last?.kind !== "close" && last?.name === tag.name;
      if (isClosed) open.pop();
      else open.push(tag);
    }
    return open.map((tag) => ({ tag, place, cell, index }));
  });
}

export function cellPlace(sheet: string, cell: Element): string {
  return `the sheet ${sheet}, cell ${attribute(cell, "r") ?? ""}`;
}

function removeTag({ cell, tag, place }: RowTag): void {
  const pieces = splitTags(attribute(cell, templateText) ?? "", place);
  const isTag = (piece: string | Tag) =>
    typeof piece !== "string" && piece.kind === tag.kind && piece.name === tag.name;
  // Of equal tags, the last one opens rows and the first one closes them: others are closed in the cell.
  const at = tag.kind === "close" ? pieces.findIndex(isTag) : pieces.findLastIndex(isTag);
  const left = pieces.filter((_, position) => position !== at);
  const text = left.map((piece) => (typeof piece === "string" ? piece : rawTag(piece))).join("");
  cell.setAttribute(templateText, text);
}

export function rowNumber(row: Element): number {
  return Number(attribute(row, "r"));
}
