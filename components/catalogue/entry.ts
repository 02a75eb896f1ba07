import type { FormatChoices } from "#components/search/entry.ts";

/** An operation in a list that is searched. Plain JSON. */
export interface CatalogueEntry {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly summary: string;
  /** Further words that find it. */
  readonly words: string;
  /** The names of its parameters. */
  readonly params: string;
  /** What it reads and writes; undefined if it takes no file. */
  readonly formats?: FormatChoices;
  /** Whether this installation cannot run it. */
  readonly isUnavailable?: true;
}
