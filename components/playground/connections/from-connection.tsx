"use client";

import { CableIcon } from "lucide-react";
import { useContext } from "react";
import { Button } from "#components/ui/button.tsx";
import { useLazyDialog } from "#components/ui/overlays/use-lazy-dialog.ts";
import { ConnectionsContext } from "./context.ts";

const load = () => import("./choose-dialog.tsx").then((module) => module.ChooseDialog);

interface FromConnectionProps {
  /** What is chosen, such as "the input". */
  readonly what: string;
  /** Takes the reference of the file, `conn_…:folder/file.mp4`. */
  readonly onChoose: (reference: string) => void;
}

/** The button that chooses a file in a connection. Nothing where a form offers none. */
export function FromConnection({ what, onChoose }: FromConnectionProps) {
  const connections = useContext(ConnectionsContext);
  const dialog = useLazyDialog(load);
  if (!connections) return null;
  return (
    <>
      <Button
        variant="outline"
        size="sm"
        className="w-fit"
        aria-label={`From a connection: ${what}`}
        {...dialog.triggerProps}
      >
        <CableIcon aria-hidden="true" />
        From a connection
      </Button>
      {dialog.Dialog && (
        <dialog.Dialog
          what={what}
          connections={connections}
          onChoose={onChoose}
          {...dialog.dialogProps}
        />
      )}
    </>
  );
}
