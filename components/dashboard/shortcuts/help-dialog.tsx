"use client";

import {
  Dialog,
  DialogContent,
  DialogHeader,
  DialogTitle,
} from "#components/ui/overlays/dialog.tsx";
import type { LazyDialogProps } from "#components/ui/overlays/use-lazy-dialog.ts";
import { keyHelp, pageKeys } from "./keys.ts";

/** The list of keyboard shortcuts. */
export function HelpDialog({ open, onOpenChange, onCloseAutoFocus }: LazyDialogProps) {
  const pages = Object.entries(pageKeys).map(([key, { label }]) => ({ keys: ["g", key], label }));
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent aria-describedby={undefined} onCloseAutoFocus={onCloseAutoFocus}>
        <DialogHeader>
          <DialogTitle>Keyboard shortcuts</DialogTitle>
        </DialogHeader>
        <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
          <KeyList rows={keyHelp} />
          <KeyList rows={pages} />
        </div>
      </DialogContent>
    </Dialog>
  );
}

function KeyList({
  rows,
}: {
  rows: readonly { readonly keys: readonly string[]; readonly label: string }[];
}) {
  return (
    <dl className="grid content-start gap-2 text-sm">
      {rows.map(({ keys, label }) => (
        <div key={label} className="flex items-center justify-between gap-4">
          <dt>{label}</dt>
          <dd className="flex gap-1">
            {keys.map((key) => (
              <kbd key={key} className="rounded-sm border px-1.5 font-mono text-xs leading-5">
                {key}
              </kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
