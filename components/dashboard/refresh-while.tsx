"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { refreshReachable } from "./refresh-reachable.ts";

const intervalMs = 2000;

/** Refreshes the page every two seconds while `active` is set and the page is visible. */
export function RefreshWhile({ active }: { readonly active: boolean }) {
  const router = useRouter();
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void refreshReachable(router);
    }, intervalMs);
    return () => clearInterval(timer);
  }, [active, router]);
  return null;
}
