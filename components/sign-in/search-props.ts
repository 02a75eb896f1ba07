/** What Next.js hands to a page: the query of its address, of which anything may be anything. */
export interface SearchProps {
  readonly searchParams: Promise<Readonly<Record<string, unknown>>>;
}
