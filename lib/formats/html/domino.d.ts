declare module "@mixmark-io/domino" {
  /** Parses HTML as browsers do, without loading or running anything. */
  export function createDocument(html?: string, force?: boolean): Document;
}
