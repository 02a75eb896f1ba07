/** The props of a page that reads its URL's query. Values are untrusted. */
export interface SearchProps {
  readonly searchParams: Promise<Readonly<Record<string, unknown>>>;
}
