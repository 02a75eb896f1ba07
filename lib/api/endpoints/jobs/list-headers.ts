import { maxExactTotal } from "#lib/db/queries/jobs/lists.ts";

/** The value of `X-Total-Count`: exact up to 10,000, then `10000+`. */
export function formatTotal(total: number): string {
  return total > maxExactTotal ? `${maxExactTotal}+` : String(total);
}

/** The header `Link` of a page at an offset, with `count` jobs; empty for the only page. */
export function offsetLinks(
  url: URL,
  {
    limit,
    offset,
    hasMore,
    count,
  }: { limit: number; offset: number; hasMore: boolean; count: number },
): string {
  const next = hasMore && linkTo(url, "next", { limit, offset: offset + count });
  const previous =
    offset > 0 && linkTo(url, "prev", { limit, offset: Math.max(0, offset - limit) });
  return [next, previous].filter((link) => link !== false).join(", ");
}

/** The header `Link` of a page after or before a job; empty for an empty page. */
export function cursorLinks(
  url: URL,
  rows: readonly { readonly id: string }[],
  { limit, hasNewer, hasOlder }: { limit: number; hasNewer: boolean; hasOlder: boolean },
): string {
  const first = rows[0];
  const last = rows.at(-1);
  if (!first || !last) return "";
  const next = hasOlder && linkTo(url, "next", { limit, starting_after: last.id });
  const previous = hasNewer && linkTo(url, "prev", { limit, ending_before: first.id });
  return [next, previous].filter((link) => link !== false).join(", ");
}

/** The same query at another position. */
function linkTo(
  url: URL,
  rel: string,
  position: Readonly<Record<string, string | number>>,
): string {
  const query = new URLSearchParams(url.searchParams);
  for (const name of ["offset", "starting_after", "ending_before"]) query.delete(name);
  for (const [name, value] of Object.entries(position)) query.set(name, String(value));
  return `<${url.pathname}?${query}>; rel="${rel}"`;
}
