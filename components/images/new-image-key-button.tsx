"use client";

import { PlusIcon } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { useLazyDialog } from "#components/ui/overlays/use-lazy-dialog.ts";

import type { CreateImageKey } from "./new-image-key-dialog.tsx";

const load = () => import("./new-image-key-dialog.tsx").then((module) => module.NewImageKeyDialog);

/** The button that opens the dialog to create a key. */
export function NewImageKeyButton({ createKey }: { readonly createKey: CreateImageKey }) {
  const dialog = useLazyDialog(load);
  return (
    <>
      <Button {...dialog.triggerProps}>
        <PlusIcon />
        Create key
      </Button>
      {dialog.Dialog && <dialog.Dialog createKey={createKey} {...dialog.dialogProps} />}
    </>
  );
}
