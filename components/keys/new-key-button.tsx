"use client";

import { PlusIcon } from "lucide-react";
import { useRouter, useSearchParams } from "next/navigation";
import { useEffect, useEffectEvent } from "react";
import { Button } from "#components/ui/button.tsx";
import { useLazyDialog } from "#components/ui/overlays/use-lazy-dialog.ts";

const load = () => import("./new-key-dialog.tsx").then((module) => module.NewKeyDialog);

/**
 * The button that opens the dialog to create a key. The query `?create` opens it, too. `appUrl` is the service's URL,
 * without a trailing slash.
 */
export function NewKeyButton({ appUrl }: { readonly appUrl: string }) {
  const router = useRouter();
  const dialog = useLazyDialog(load);
  const isLinked = useSearchParams().has("create");
  const openLinked = useEffectEvent(() => {
    dialog.triggerProps.onClick();
    // After a reload, the dialog is closed.
    router.replace("/dashboard/keys");
  });
  useEffect(() => {
    if (isLinked) openLinked();
  }, [isLinked]);
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
