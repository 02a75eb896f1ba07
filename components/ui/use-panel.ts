"use client";

import { useRef, useState } from "react";
import { type LoadComponent, useLate } from "./use-late.ts";

/** What `usePanel` gives a dialog. */
export interface PanelProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onCloseAutoFocus: (event: Event) => void;
}

/**
 * A button and the dialog that it opens, whose code is loaded when it is about to be needed: as soon
 * as the button is pointed at or has the focus. Spread `trigger` on the button, and draw `Panel` with
 * `panel` once it is there; on its end the button has the focus again.
 */
export function usePanel<Props extends PanelProps>(load: LoadComponent<Props>) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { Component: Panel, loadAhead, want } = useLate(load);
  const panel: PanelProps = {
    open: isOpen,
    onOpenChange: setOpen,
    onCloseAutoFocus: (event) => {
      event.preventDefault();
      button.current?.focus();
    },
  };
  return {
    Panel,
    panel,
    trigger: {
      ref: button,
      "aria-haspopup": "dialog",
      "aria-expanded": isOpen,
      onPointerEnter: loadAhead,
      onFocus: loadAhead,
      onClick: () => {
        want();
        setOpen(true);
      },
    },
  } as const;
}
