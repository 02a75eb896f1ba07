"use client";

import { Slot } from "radix-ui";
import type { ReactNode } from "react";
import type { ConfirmDialogContentProps } from "./confirm-dialog-content.tsx";
import { useLazyDialog } from "./use-lazy-dialog.ts";

interface ConfirmDialogProps extends ConfirmDialogContentProps {
  /** The button that opens the dialog. */
  readonly trigger: ReactNode;
}

const load = () =>
  import("./confirm-dialog-content.tsx").then((module) => module.ConfirmDialogContent);

/** A button that asks for confirmation before a destructive action. */
export function ConfirmDialog({ trigger, ...content }: ConfirmDialogProps) {
  const dialog = useLazyDialog(load);
  return (
    <>
      <Slot.Root {...dialog.triggerProps}>{trigger}</Slot.Root>
      {dialog.Dialog && <dialog.Dialog {...content} {...dialog.dialogProps} />}
    </>
  );
}
