"use client";

import { PlusIcon } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { usePanel } from "#components/ui/use-panel.ts";

const load = () => import("./new-key-panel.tsx").then((module) => module.NewKeyPanel);

/** The button that makes a key, and its dialog. `appUrl`: of the service, without a slash at the end. */
export function NewKeyDialog({ appUrl }: { readonly appUrl: string }) {
  const dialog = usePanel(load);
  return (
    <>
      <Button {...dialog.trigger}>
        <PlusIcon />
        Create key
      </Button>
      {dialog.Panel && <dialog.Panel appUrl={appUrl} {...dialog.panel} />}
    </>
  );
}
