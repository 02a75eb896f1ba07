import type { DocsEntry } from "./search-index.ts";

let loading: Promise<readonly DocsEntry[]> | undefined;

/** What the search of the docs looks through; loaded once per page load. */
export function loadDocs(): Promise<readonly DocsEntry[]> {
  loading ??= fetchDocs().catch((error: unknown) => {
    // The next search tries again.
    loading = undefined;
    throw error;
  });
  return loading;
}

async function fetchDocs(): Promise<readonly DocsEntry[]> {
  const response = await fetch("/docs/search.json");
  if (!response.ok) throw new Error(`search.json returned status ${response.status}`);
  // Our own route serializes this type.
  return (await response.json()) as DocsEntry[];
}
