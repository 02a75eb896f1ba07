import { buildSearchIndex } from "#components/docs/search/search-index.ts";
import { constantJson } from "#lib/api/http/constant-json.ts";

/** What the search of the docs looks through; fetched when the search is opened. */
export const dynamic = "force-dynamic";

const respond = constantJson(buildSearchIndex, {
  "Cache-Control": "public, max-age=300",
  "X-Content-Type-Options": "nosniff",
});

export const GET = (request: Request): Promise<Response> => respond(request);
