"use client";

import { Logo } from "#components/brand/logo.tsx";
import { Sheet, SheetContent, SheetTitle } from "#components/ui/overlays/sheet.tsx";
import type { LazyDialogProps } from "#components/ui/overlays/use-lazy-dialog.ts";
import { Navigation } from "./navigation.tsx";

/** The navigation in a sheet that opens from the left. */
export function MobileSheet({
  isOperator,
  open,
  onOpenChange,
  onCloseAutoFocus,
}: LazyDialogProps & { readonly isOperator: boolean }) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange}>
      <SheetContent onCloseAutoFocus={onCloseAutoFocus}>
        <SheetTitle className="px-3 py-1">
          <Logo />
        </SheetTitle>
        <Navigation isOperator={isOperator} onNavigate={() => onOpenChange(false)} />
      </SheetContent>
    </Sheet>
  );
}
