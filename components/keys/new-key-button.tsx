"use client";

import { PlusIcon } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { useLazyDialog } from "#components/ui/overlays/use-lazy-dialog.ts";

const load = () => import("./new-key-dialog.tsx").then((module) => module.NewKeyDialog);

/** The button that opens the dialog to create a key. `appUrl` is the service's URL, without a trailing slash. */
export function NewKeyButton({ appUrl }: { readonly appUrl: string }) {
  const dialog = useLazyDialog(load);
  return (
    <>
      <Button {...dialog.triggerProps}>
        <PlusIcon />
        Create key
      </Button>
      {dialog.Dialog && <dialog.Dialog appUrl={appUrl} {...dialog.dialogProps} />}
    </>
  );
}
