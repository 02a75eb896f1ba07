"use client";

import { useRef, useState } from "react";

/**
 * A button and the dialog that it opens, whose code is loaded when it is about to be needed: `load`
 * is called as soon as the button is pointed at or has the focus. Spread `trigger` on the button, and
 * `panel` on what draws the dialog once `wanted` is set; on its end the button has the focus again.
 */
export function usePanel(load: () => Promise<unknown>) {
  const [state, setState] = useState<"never" | "open" | "closed">("never");
  const button = useRef<HTMLButtonElement>(null);
  const loadAhead = () => void load();
  return {
    wanted: state !== "never",
    trigger: {
      ref: button,
      "aria-haspopup": "dialog",
      "aria-expanded": state === "open",
      onPointerEnter: loadAhead,
      onFocus: loadAhead,
      onClick: () => setState("open"),
    },
    panel: {
      open: state === "open",
      onOpenChange: (open: boolean) => setState(open ? "open" : "closed"),
      onCloseAutoFocus: (event: Event) => {
        event.preventDefault();
        button.current?.focus();
      },
    },
  } as const;
}

/** What `usePanel` gives a dialog. */
export type PanelProps = ReturnType<typeof usePanel>["panel"];
