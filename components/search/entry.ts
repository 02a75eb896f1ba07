/**
 * In the order in which the search lists equal matches. `operator` is a section for those who run the service, whom
 * fewer searches are from.
 */
export const searchKinds = [
  "action",
  "page",
  "operation",
  "guide",
  "section",
  "code",
  "operator",
] as const;

export type SearchKind = (typeof searchKinds)[number];

/** What an operation reads and writes, for searches such as "heic to jpg". */
export interface FormatChoices {
  /** The ids of the media types that it takes, separated by spaces. */
  readonly from: string;
  /**
   * Each media type that it always writes with a value of its parameter `format`. The value is empty if it has no
   * such parameter.
   */
  readonly to: Readonly<Record<string, string>>;
}

/** Something that a search finds. Plain JSON. */
export interface SearchEntry {
  readonly kind: SearchKind;
  readonly title: string;
  /** The guide or group it belongs to. */
  readonly section: string;
  /** Shown below the title. */
  readonly text: string;
  /** Other names. A query that is one of them finds the entry first. */
  readonly names?: readonly string[];
  /** Further words that people use for it, which are not shown. */
  readonly words?: string;
  /** The names of its parameters, separated by spaces. */
  readonly params?: string;
  /** Whether it is what most people look for among similar entries. */
  readonly isPopular?: true;
  /** The other words of its full text, which are not shown. */
  readonly more?: string;
  readonly formats?: FormatChoices;
}

/** A conversion that a query asks for. */
export interface Conversion {
  /** Such as "HEIC to JPEG". */
  readonly label: string;
  /** The value of the operation's parameter `format`; empty if it has none, or if the query leaves it open. */
  readonly format: string;
}

/** A search result. */
export interface Found<Entry extends SearchEntry> {
  readonly entry: Entry;
  /** What the query asks of the operation. */
  readonly conversion?: Conversion;
  /** Whether it has only some of the words of the query. */
  readonly isPartial?: true;
}
