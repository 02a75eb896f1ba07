import { buildSearchIndex } from "#components/docs/search/search-index.ts";

/** What the search of the docs looks through; fetched when the search is opened. */
export const dynamic = "force-dynamic";

export function GET(): Response {
  return Response.json(buildSearchIndex(), {
    headers: { "Cache-Control": "public, max-age=300", "X-Content-Type-Options": "nosniff" },
  });
}
