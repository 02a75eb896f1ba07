"use client";

import { PlusIcon } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { useLazyDialog } from "#components/ui/overlays/use-lazy-dialog.ts";
import type { ConnectionActions } from "./actions.ts";

const load = () => import("./connection-dialog.tsx").then((module) => module.ConnectionDialog);

/** The button that opens the dialog to create a connection. */
export function NewConnectionButton({ actions }: { readonly actions: ConnectionActions }) {
  const dialog = useLazyDialog(load);
  return (
    <>
      <Button {...dialog.triggerProps}>
        <PlusIcon />
        Create connection
      </Button>
      {dialog.Dialog && <dialog.Dialog actions={actions} {...dialog.dialogProps} />}
    </>
  );
}
