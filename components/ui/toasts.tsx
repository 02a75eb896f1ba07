"use client";

import { useEffect } from "react";
import { Toaster as Sonner, toast } from "sonner";
import { drawWith } from "./toast.ts";

/** Draws what `components/ui/toast.ts` is told. */
export function Toasts() {
  // The library listens from its own effect on, and a child's effects run first.
  useEffect(() => drawWith(({ kind, text }) => toast[kind](text)), []);
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
