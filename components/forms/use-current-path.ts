"use client";

import { usePathname, useSearchParams } from "next/navigation";

/** The path and query of the page, to return to it. */
export function useCurrentPath(): string {
  const path = usePathname();
  const query = useSearchParams().toString();
  return query === "" ? path : `${path}?${query}`;
}
