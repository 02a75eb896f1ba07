/** The rows that a row of the template became. */
export interface RowSpan {
  readonly first: number;
  /** Smaller than `first` if no row is left. */
  readonly last: number;
  /** The rows themselves, ascending. Others may lie between them. */
  readonly rows: readonly number[];
  /** The rows of the template of which `first` and `last` are; undefined if none is left on that side. */
  readonly firstSource: number | undefined;
  readonly lastSource: number | undefined;
}

/** The rows of a section, with those that have only its tags, and the new rows: from `start` to the one before `end`. */
interface Section {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
}

/** What became of the rows of a sheet, or in one repetition of a section: 1-based numbers. */
export class RowLevel {
  /** The repetition or sheet around it; undefined for a sheet. */
  readonly parent: RowLevel | undefined;
  /** What is added to a row before its first section. */
  readonly shift: number;
  readonly #from: number;
  readonly #to: number;
  readonly #sections: Section[] = [];
  /** The new rows by the row of the template, also those of inner sections. */
  readonly #rows = new Map<number, number[]>();
  #sources: readonly number[] | undefined;

  constructor(parent?: RowLevel, shift = 0, from = 1, to = Infinity) {
    this.parent = parent;
    this.shift = shift;
    this.#from = from;
    this.#to = to;
  }

  addRow(source: number, row: number): void {
    for (let level: RowLevel | undefined = this; level; level = level.parent) {
      const known = level.#rows.get(source);
      if (known) known.push(row);
      else level.#rows.set(source, [row]);
    }
  }

  /** Sections are added in their order. */
  addSection(section: Section): void {
    this.#sections.push(section);
  }

  covers(row: number): boolean {
    return row >= this.#from && row <= this.#to;
  }

  /** The new rows of `row`. A row that is left out of a section has those between the rows before and after it there. */
  find(row: number): RowSpan {
    const rows = this.#rows.get(row);
    const same = { firstSource: row, lastSource: row };
    if (rows) return { first: rows[0] ?? 0, last: rows.at(-1) ?? 0, rows, ...same };
    const section = this.#sections[countUpTo(this.#sections, row, ({ from }) => from) - 1];
    if (section && row <= section.to) {
      this.#sources ??= [...this.#rows.keys()].sort((one, other) => one - other);
      const index = countUpTo(this.#sources, row, (source) => source);
      const next = this.#sources[index] ?? Infinity;
      const previous = this.#sources[index - 1] ?? 0;
      const firstSource = next <= section.to ? next : undefined;
      const lastSource = previous >= section.from ? previous : undefined;
      const first = firstSource === undefined ? section.end : this.find(firstSource).first;
      const last = lastSource === undefined ? section.start - 1 : this.find(lastSource).last;
      return { first, last, rows: [], firstSource, lastSource };
    }
    const moved = row + (section ? section.end - (section.to + 1) : this.shift);
    return { first: moved, last: moved, rows: [moved], ...same };
  }
}

/** How many of `items`, which are sorted by `key`, have a key of at most `limit`. */
function countUpTo<Item>(
  items: readonly Item[],
  limit: number,
  key: (item: Item) => number,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(items[middle] as Item) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
