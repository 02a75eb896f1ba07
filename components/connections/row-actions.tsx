"use client";

import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/overlays/confirm-dialog.tsx";
import { useLazyDialog } from "#components/ui/overlays/use-lazy-dialog.ts";
import type { ConnectionActions } from "./actions.ts";
import type { ConnectionView } from "./connection-view.ts";

const loadEdit = () => import("./connection-dialog.tsx").then((module) => module.ConnectionDialog);
const loadFiles = () => import("./browse/files-dialog.tsx").then((module) => module.FilesDialog);

interface RowActionsProps {
  readonly view: ConnectionView;
  readonly actions: ConnectionActions;
  readonly isTesting: boolean;
  readonly onTest: () => void;
  readonly onDelete: () => void;
}

/** What can be done with a connection of the list. */
export function RowActions({ view, actions, isTesting, onTest, onDelete }: RowActionsProps) {
  const edit = useLazyDialog(loadEdit);
  const files = useLazyDialog(loadFiles);
  const button = { variant: "outline", size: "sm" } as const;
  return (
    <div className="flex flex-wrap gap-2 md:justify-end">
      <Button
        {...button}
        aria-label={`Test ${view.name}`}
        aria-disabled={isTesting}
        onClick={() => !isTesting && onTest()}
      >
        Test
      </Button>
      {view.access !== "write" && (
        <Button {...button} {...files.triggerProps} aria-label={`Files of ${view.name}`}>
          Files
        </Button>
      )}
      <Button {...button} {...edit.triggerProps} aria-label={`Edit ${view.name}`}>
        Edit
      </Button>
      <ConfirmDialog
        trigger={
          <Button {...button} aria-label={`Delete ${view.name}`}>
            Delete
          </Button>
        }
        title={`Delete “${view.name}”?`}
        description="Jobs that still need it fail. The files in the store stay. You cannot undo this."
        confirm="Delete connection"
        onConfirm={onDelete}
      />
      {files.Dialog && (
        <files.Dialog connection={view} browse={actions.browse} {...files.dialogProps} />
      )}
      {edit.Dialog && <edit.Dialog connection={view} actions={actions} {...edit.dialogProps} />}
    </div>
  );
}
