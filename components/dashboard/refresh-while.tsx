"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

const everyMs = 2000;

/** Makes the page anew every two seconds while `active` is set and the page is looked at. */
export function RefreshWhile({ active }: { readonly active: boolean }) {
  const router = useRouter();
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") router.refresh();
    }, everyMs);
    return () => clearInterval(timer);
  }, [active, router]);
  return null;
}
