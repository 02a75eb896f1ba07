/** What a document has that its Markdown does not have, and that the caller may miss. */

/** One and several of each kind, as a warning names them. */
const names = {
  chart: ["chart", "charts"],
  diagram: ["diagram", "diagrams"],
  equation: ["equation that is stored as a picture", "equations that are stored as pictures"],
  object: ["embedded object", "embedded objects"],
  recording: ["video or audio file", "video or audio files"],
  picture: ["picture", "pictures"],
  textBox: ["text box", "text boxes"],
  comment: ["comment", "comments"],
  field: ["filled form field", "filled form fields"],
  table: ["deeply nested table", "deeply nested tables"],
  slide: ["hidden slide", "hidden slides"],
  sheet: ["hidden sheet", "hidden sheets"],
  row: ["hidden row", "hidden rows"],
  cell: ["cell to the right of column 200", "cells to the right of column 200"],
  chapter: ["missing chapter", "missing chapters"],
} as const satisfies Record<string, readonly [string, string]>;

export type OmittedKind = keyof typeof names;

/** Counts what the readers leave out. */
export class Omitted {
  readonly #counts = new Map<OmittedKind, number>();

  add(kind: OmittedKind, count = 1): void {
    if (count > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
  }

  /** Lists what is left out, such as `2 charts`, one text for each kind. */
  list(): string[] {
    return [...this.#counts].map(([kind, count]) => `${count} ${names[kind][count === 1 ? 0 : 1]}`);
  }
}
