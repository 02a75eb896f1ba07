"use client";

import { useEffect, useState } from "react";
import type { SearchRow, SearchTarget } from "./search-target.ts";

/** Finds results on the service, such as jobs. */
export type FindLate = (query: string, signal: AbortSignal) => Promise<readonly SearchTarget[]>;

/** The time after the last key until the service is asked. */
const debounceMs = 150;

/** The results that the service has for a query. A new query cancels the request of the one before. */
export function useLateRows(find: FindLate | undefined, query: string): readonly SearchRow[] {
  const [found, setFound] = useState<{ query: string; targets: readonly SearchTarget[] }>();
  useEffect(() => {
    if (!find || query === "") return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      find(query, abort.signal).then(
        (targets) => {
          if (!abort.signal.aborted) setFound({ query, targets });
        },
        () => {
          // Cancelled, or the service does not answer: the other results remain.
        },
      );
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [find, query]);
  if (found?.query !== query) return [];
  return found.targets.map((entry, at) => ({ entry, key: `late-${at}` }));
}
