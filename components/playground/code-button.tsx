"use client";

import { CodeIcon } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { useLazyDialog } from "#components/ui/overlays/use-lazy-dialog.ts";
import type { FilledForm } from "./steps/snippet-request.ts";

const load = () => import("./code-dialog.tsx").then((module) => module.CodeDialog);

/** The button that shows the filled-in request as code. */
export function CodeButton(form: FilledForm) {
  const dialog = useLazyDialog(load);
  return (
    <>
      <Button variant="outline" {...dialog.triggerProps}>
        <CodeIcon aria-hidden="true" />
        Copy as code
      </Button>
      {dialog.Dialog && <dialog.Dialog {...form} {...dialog.dialogProps} />}
    </>
  );
}
