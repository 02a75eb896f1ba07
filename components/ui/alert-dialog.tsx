"use client";

import { Slot } from "radix-ui";
import type { ReactNode } from "react";
import type { ConfirmPanelProps } from "./confirm-panel.tsx";
import { usePanel } from "./use-panel.ts";

interface ConfirmDialogProps extends ConfirmPanelProps {
  /** What opens it: one button. */
  readonly trigger: ReactNode;
}

const load = () => import("./confirm-panel.tsx").then((module) => module.ConfirmPanel);

/** Asks before an act that cannot be undone. */
export function ConfirmDialog({ trigger, ...question }: ConfirmDialogProps) {
  const dialog = usePanel(load);
  return (
    <>
      <Slot.Root {...dialog.trigger}>{trigger}</Slot.Root>
      {dialog.Panel && <dialog.Panel {...question} {...dialog.panel} />}
    </>
  );
}
