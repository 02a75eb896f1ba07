/** What is wrong; `field` is the one that it is about. */
export interface ConnectionFault {
  readonly error: string;
  readonly field?: string;
}

/** What is in a folder of a connection. */
export interface FolderPage {
  /** Paths with a slash at their ends: in a store of keys, a folder may have an empty name. */
  readonly folders: readonly string[];
  readonly files: readonly BrowsedFile[];
  /** Where the next page begins; null on the last one. */
  readonly nextCursor: string | null;
}

export interface BrowsedFile {
  readonly path: string;
  readonly bytes: number;
  /** RFC 3339. */
  readonly modifiedAt: string | null;
}

/** Lists a folder: empty for the root, otherwise with a slash at its end. */
export type BrowseConnection = (
  id: string,
  folder: string,
  cursor?: string,
) => Promise<FolderPage | ConnectionFault>;
