"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef } from "react";
import { refreshReachable } from "./refresh-reachable.ts";

/** The shortest time between two refreshes of a page. */
const refreshMs = 2000;

/** A function that refreshes what the server renders, two seconds after its first call. Further calls until then have no effect. */
export function useDelayedRefresh(): () => void {
  const router = useRouter();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void refreshReachable(router);
    }, refreshMs);
  }, [router]);
}
