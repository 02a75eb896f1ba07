"use client";

import { lazy, type ReactNode, Suspense, useCallback, useRef, useState } from "react";
import { ReauthenticationContext } from "#components/forms/use-reauthentication.ts";

const Dialog = lazy(() =>
  import("./dialog.tsx").then((module) => ({ default: module.ReauthenticationDialog })),
);

/** Gives the forms and buttons in it the dialog that asks the user to show who they are. */
export function ReauthenticationProvider({ children }: { readonly children: ReactNode }) {
  /**
   * Whether the dialog is open; undefined until the first question, when the dialog's script is
   * loaded.
   */
  const [isOpen, setOpen] = useState<boolean>();
  const answer = useRef<(isDone: boolean) => void>(undefined);
  const before = useRef<Element>(null);
  const ask = useCallback(() => {
    before.current = document.activeElement;
    setOpen(true);
    return new Promise<boolean>((resolve) => {
      answer.current?.(false);
      answer.current = resolve;
    });
  }, []);
  const end = useCallback((isDone: boolean) => {
    setOpen(false);
    answer.current?.(isDone);
    answer.current = undefined;
  }, []);
  function returnFocus(event: Event) {
    event.preventDefault();
    if (before.current instanceof HTMLElement) before.current.focus();
  }
  return (
    <ReauthenticationContext value={ask}>
      {children}
      {isOpen !== undefined && (
        <Suspense>
          <Dialog open={isOpen} onEnd={end} onCloseAutoFocus={returnFocus} />
        </Suspense>
      )}
    </ReauthenticationContext>
  );
}
