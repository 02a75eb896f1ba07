"use client";

import dynamic from "next/dynamic";
import { useSyncExternalStore } from "react";
import { isWanted, onWanted } from "./toast.ts";

const Toasts = dynamic(() => import("./toasts.tsx").then((module) => module.Toasts), {
  ssr: false,
});

/** Where short messages appear: call `toast` of `components/ui/toast.ts` from any client component. */
export function Toaster() {
  const wanted = useSyncExternalStore(onWanted, isWanted, () => false);
  return wanted ? <Toasts /> : null;
}
