"use client";

import { useRef, useState } from "react";
import type { LoadComponent } from "../loading/load-or.ts";
import { useLazyComponent } from "../use-lazy-component.ts";

/** The props that `useLazyDialog` passes to a dialog. */
export interface LazyDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onCloseAutoFocus: (event: Event) => void;
}

/**
 * A button and the dialog that it opens. The dialog's script is loaded when the button gets the
 * pointer or the focus. Spread `triggerProps` on the button, and render `Dialog` with `dialogProps`
 * when it is defined. When the dialog closes, the button gets the focus back.
 */
export function useLazyDialog<Props extends LazyDialogProps>(load: LoadComponent<Props>) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { Component: Dialog, preload, show } = useLazyComponent(load);
  const dialogProps: LazyDialogProps = {
    open: isOpen,
    onOpenChange: setOpen,
    onCloseAutoFocus: (event) => {
      event.preventDefault();
      button.current?.focus();
    },
  };
  return {
    Dialog,
    dialogProps,
    triggerProps: {
      ref: button,
      "aria-haspopup": "dialog",
      "aria-expanded": isOpen && Dialog !== undefined,
      onPointerEnter: preload,
      onFocus: preload,
      onClick: () => {
        show();
        setOpen(true);
      },
    },
  } as const;
}
