"use client";

import { type FormEvent, useState, useTransition } from "react";
import { describeFailure } from "#components/forms/describe-failure.ts";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/inputs/field.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import {
  Dialog,
  DialogContent,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "#components/ui/overlays/dialog.tsx";
import type { LazyDialogProps } from "#components/ui/overlays/use-lazy-dialog.ts";

interface SaveViewDialogProps extends LazyDialogProps {
  /** Saves the view. Resolves to why that is not possible, or to undefined. */
  readonly save: (name: string) => Promise<string | undefined>;
}

/** Asks for the name of a view. */
export function SaveViewDialog({
  save,
  open,
  onOpenChange,
  onCloseAutoFocus,
}: SaveViewDialogProps) {
  const [error, setError] = useState<string>();
  const [busy, startTransition] = useTransition();
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name"));
    startTransition(async () => {
      const message = await save(name).catch(describeFailure);
      setError(message);
      if (message === undefined) onOpenChange(false);
    });
  }
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent aria-describedby={undefined} onCloseAutoFocus={onCloseAutoFocus}>
        <form onSubmit={submit} className="grid gap-4">
          <DialogHeader>
            <DialogTitle>Save this view</DialogTitle>
          </DialogHeader>
          <Field
            label="Name"
            hint="Keeps the current filters. A view with this name is replaced."
            error={error}
          >
            {(control) => (
              <Input {...control} name="name" required maxLength={40} autoComplete="off" />
            )}
          </Field>
          <DialogFooter>
            <Button type="submit" disabled={busy}>
              Save view
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
