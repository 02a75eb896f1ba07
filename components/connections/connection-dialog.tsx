"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "#components/ui/overlays/dialog.tsx";
import type { LazyDialogProps } from "#components/ui/overlays/use-lazy-dialog.ts";
import type { ConnectionActions } from "./actions.ts";
import { ConnectionForm } from "./connection-form.tsx";
import type { ConnectionView } from "./connection-view.ts";
import { RolePolicy } from "./role-policy.tsx";
import { TestPanel } from "./test-panel.tsx";

interface ConnectionDialogProps extends LazyDialogProps {
  readonly actions: ConnectionActions;
  /** The connection to change. Default: a new one. */
  readonly connection?: ConnectionView;
}

/** Creates or changes a connection, then tests it. */
export function ConnectionDialog(props: ConnectionDialogProps) {
  const { actions, connection, open, onOpenChange, onCloseAutoFocus } = props;
  const [saved, setSaved] = useState<ConnectionView>();
  function reset(event: Event) {
    setSaved(undefined);
    onCloseAutoFocus(event);
  }
  const title = connection ? `Edit “${connection.name}”` : "Create connection";
  const done = connection ? "Connection changed" : "Connection created";
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        className="max-w-xl"
        onCloseAutoFocus={reset}
        // A click outside must not lose what was typed.
        onInteractOutside={(event) => event.preventDefault()}
      >
        <DialogHeader>
          <DialogTitle className="break-words">{saved ? done : title}</DialogTitle>
          <DialogDescription>
            {saved
              ? describeSaved(saved)
              : "Secrets are encrypted. No one can read them again, here or by the API."}
          </DialogDescription>
        </DialogHeader>
        {saved ? (
          <>
            {saved.externalId !== undefined && <RolePolicy externalId={saved.externalId} />}
            <TestPanel
              test={() => actions.test(saved.id)}
              startsAtOnce={saved.externalId === undefined}
            />
            <DialogFooter>
              <Button onClick={() => onOpenChange(false)}>Done</Button>
            </DialogFooter>
          </>
        ) : (
          <ConnectionForm connection={connection} save={actions.save} onSaved={setSaved} />
        )}
      </DialogContent>
    </Dialog>
  );
}

function describeSaved({ access, externalId }: ConnectionView): string {
  if (externalId !== undefined) return "Let the role trust this service, then test the connection.";
  return access === "read"
    ? "The test lists files."
    : "The test writes a small file, looks for it and deletes it.";
}
