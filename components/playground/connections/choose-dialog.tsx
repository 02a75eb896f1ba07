"use client";

import { useState } from "react";
import { FileBrowser } from "#components/connections/browse/file-browser.tsx";
import { nameOf } from "#components/connections/browse/folder-steps.ts";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/inputs/field.tsx";
import { Select } from "#components/ui/inputs/select.tsx";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from "#components/ui/overlays/dialog.tsx";
import type { LazyDialogProps } from "#components/ui/overlays/use-lazy-dialog.ts";
import { PrefetchLink } from "#components/ui/prefetch-link.tsx";
import type { FormConnections } from "./context.ts";

interface ChooseDialogProps extends LazyDialogProps {
  /** What is chosen, such as "the input". */
  readonly what: string;
  readonly connections: FormConnections;
  readonly onChoose: (reference: string) => void;
}

/** Chooses a file in one of the account's connections. */
export function ChooseDialog(props: ChooseDialogProps) {
  const { what, connections, onChoose, open, onOpenChange, onCloseAutoFocus } = props;
  const { readable, browse } = connections;
  const [chosen, setChosen] = useState(readable[0]?.id);
  const connection = readable.find(({ id }) => id === chosen) ?? readable[0];
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent className="max-w-2xl" onCloseAutoFocus={onCloseAutoFocus}>
        <DialogHeader>
          <DialogTitle>Choose {what} from a connection</DialogTitle>
          <DialogDescription>
            The job reads the file from your store. Nothing is sent by your browser.
          </DialogDescription>
        </DialogHeader>
        {!connection && (
          <p className="rounded-lg border p-6 text-center text-sm text-muted-foreground">
            No connection may be read from.{" "}
            <PrefetchLink href="/dashboard/connections" className="underline underline-offset-4">
              Create one
            </PrefetchLink>
            .
          </p>
        )}
        {connection && readable.length > 1 && (
          <Field label="Connection">
            {(control) => (
              <Select
                {...control}
                value={connection.id}
                onChange={({ target }) => setChosen(target.value)}
              >
                {readable.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {connection && (
          <FileBrowser
            key={connection.id}
            connectionId={connection.id}
            name={connection.name}
            browse={browse}
            renderAction={({ path }) => (
              <Button
                variant="outline"
                size="sm"
                aria-label={`Choose ${nameOf(path)}`}
                onClick={() => {
                  onChoose(`${connection.id}:${path}`);
                  onOpenChange(false);
                }}
              >
                Choose
              </Button>
            )}
          />
        )}
      </DialogContent>
    </Dialog>
  );
}
