"use client";

import dynamic from "next/dynamic";
import { useSyncExternalStore } from "react";
import { loadOr } from "../loading/load-or.ts";
import { PlainToast } from "./plain-toast.tsx";
import { hasToasts, onToast } from "./toast.ts";

const ToastList = dynamic(
  () => loadOr(() => import("./toast-list.tsx").then((module) => module.ToastList), PlainToast),
  { ssr: false },
);

/** Renders the messages that client components show with `toast` from `components/ui/toast/toast.ts`. */
export function Toaster() {
  const isUsed = useSyncExternalStore(onToast, hasToasts, () => false);
  return isUsed ? <ToastList /> : null;
}
