"use client";

import { MenuIcon } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { useLazyDialog } from "#components/ui/overlays/use-lazy-dialog.ts";
import type { MobileSheetProps } from "./mobile-sheet.tsx";

const load = () => import("./mobile-sheet.tsx").then((module) => module.MobileSheet);

/** The button that opens the navigation on narrow pages. */
export function MobileNavigation(props: MobileSheetProps) {
  const sheet = useLazyDialog(load);
  return (
    <>
      <Button {...sheet.triggerProps} variant="ghost" size="icon" className="lg:hidden">
        <MenuIcon />
        <span className="sr-only">Open navigation</span>
      </Button>
      {sheet.Dialog && <sheet.Dialog {...props} {...sheet.dialogProps} />}
    </>
  );
}
