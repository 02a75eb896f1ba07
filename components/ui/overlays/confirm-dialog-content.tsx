"use client";

import { AlertDialog as AlertDialogPrimitive } from "radix-ui";
import type { ReactNode } from "react";
import { buttonVariants } from "../button-variants.ts";
import type { LazyDialogProps } from "./use-lazy-dialog.ts";

export interface ConfirmDialogContentProps {
  /** A question, such as "Revoke this key?" */
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly description: ReactNode;
  /** The label of the button that confirms, such as "Revoke key". */
  readonly confirm: string;
  /** The label of the button that closes the dialog. Default: "Cancel". */
  readonly dismiss?: string;
  readonly onConfirm: () => void;
  readonly destructive?: boolean;
}

/** The dialog of a `ConfirmDialog`. */
export function ConfirmDialogContent({
  title,
  description,
  confirm,
  dismiss = "Cancel",
  onConfirm,
  destructive = true,
  open,
  onOpenChange,
  onCloseAutoFocus,
}: ConfirmDialogContentProps & LazyDialogProps) {
  return (
    <AlertDialogPrimitive.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialogPrimitive.Portal>
        <AlertDialogPrimitive.Overlay className="fixed inset-0 z-50 bg-black/50 data-[state=open]:animate-in data-[state=open]:fade-in-0" />
        <AlertDialogPrimitive.Content
          onCloseAutoFocus={onCloseAutoFocus}
          className="fixed top-1/2 left-1/2 z-50 grid w-[calc(100%-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 gap-4 rounded-xl border bg-popover p-6 shadow-xl data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:zoom-in-95"
        >
          <AlertDialogPrimitive.Title className="text-lg leading-tight font-semibold">
            {title}
          </AlertDialogPrimitive.Title>
          <AlertDialogPrimitive.Description className="text-sm text-muted-foreground">
            {description}
          </AlertDialogPrimitive.Description>
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <AlertDialogPrimitive.Cancel className={buttonVariants({ variant: "outline" })}>
              {dismiss}
            </AlertDialogPrimitive.Cancel>
            <AlertDialogPrimitive.Action
              className={buttonVariants({ variant: destructive ? "destructive" : "default" })}
              onClick={onConfirm}
            >
              {confirm}
            </AlertDialogPrimitive.Action>
          </div>
        </AlertDialogPrimitive.Content>
      </AlertDialogPrimitive.Portal>
    </AlertDialogPrimitive.Root>
  );
}
