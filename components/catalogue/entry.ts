/** An operation in a list that is searched. Plain JSON. */
export interface CatalogueEntry {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly summary: string;
  /** Further words that find it. */
  readonly words: string;
  /** Formats that it writes by choice. */
  readonly formats: string;
  /** Its parameters and the extensions of its inputs, which find it last. */
  readonly types: string;
}
