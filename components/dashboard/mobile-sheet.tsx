"use client";

import { Logo } from "#components/brand/logo.tsx";
import { Sheet, SheetContent, SheetTitle } from "#components/ui/sheet.tsx";
import type { PanelProps } from "#components/ui/use-panel.ts";
import { Navigation } from "./navigation.tsx";

/** The navigation in a panel from the left. */
export function MobileSheet({ open, onOpenChange, onCloseAutoFocus }: PanelProps) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange}>
      <SheetContent onCloseAutoFocus={onCloseAutoFocus}>
        <SheetTitle className="px-3 py-1">
          <Logo />
        </SheetTitle>
        <Navigation onNavigate={() => onOpenChange(false)} />
      </SheetContent>
    </Sheet>
  );
}
