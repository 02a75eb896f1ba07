"use client";

import { useEffect } from "react";
import { Toaster as Sonner, toast } from "sonner";
import { setToastRenderer } from "./toast.ts";

/** Renders the messages of `components/ui/toast/toast.ts`. */
export function ToastList() {
  // The library subscribes in its own effect. A child's effects run first.
  useEffect(() => setToastRenderer(({ kind, text }) => toast[kind](text)), []);
  return (
    <Sonner
      position="bottom-right"
      toastOptions={{
        classNames: {
          toast: "!rounded-lg !border !border-border !bg-popover !text-foreground !font-sans",
          description: "!text-muted-foreground",
          error: "!text-destructive",
        },
      }}
    />
  );
}
