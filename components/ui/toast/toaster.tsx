"use client";

import dynamic from "next/dynamic";
import { useSyncExternalStore } from "react";
import { PlainToast } from "./plain-toast.tsx";
import { hasToasts, onToast } from "./toast.ts";

const ToastList = dynamic(
  () =>
    import("./toast-list.tsx").then(
      (module) => module.ToastList,
      () => PlainToast,
    ),
  { ssr: false },
);

/** Renders the messages that client components show with `toast` from `components/ui/toast/toast.ts`. */
export function Toaster() {
  const isUsed = useSyncExternalStore(onToast, hasToasts, () => false);
  return isUsed ? <ToastList /> : null;
}
