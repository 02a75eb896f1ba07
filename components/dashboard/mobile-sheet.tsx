"use client";

import type { ReactNode } from "react";
import { Logo } from "#components/brand/logo.tsx";
import { Sheet, SheetContent, SheetTitle } from "#components/ui/overlays/sheet.tsx";
import type { LazyDialogProps } from "#components/ui/overlays/use-lazy-dialog.ts";
import { Navigation } from "./navigation.tsx";

export interface MobileSheetProps {
  readonly isOperator: boolean;
  readonly email: string;
  /** The sign-out button: here, no other button is next to it. */
  readonly signOut: ReactNode;
}

/** The navigation in a sheet that opens from the left. */
export function MobileSheet({
  isOperator,
  email,
  signOut,
  open,
  onOpenChange,
  onCloseAutoFocus,
}: LazyDialogProps & MobileSheetProps) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange}>
      <SheetContent onCloseAutoFocus={onCloseAutoFocus}>
        <SheetTitle className="px-3 py-1">
          <Logo />
        </SheetTitle>
        <Navigation isOperator={isOperator} onNavigate={() => onOpenChange(false)} />
        <div className="mt-6 flex items-center justify-between gap-3 border-t pt-4 pl-3 text-sm">
          <p className="min-w-0 truncate" title={email}>
            {email}
          </p>
          {signOut}
        </div>
      </SheetContent>
    </Sheet>
  );
}
