"use client";

import { CopyButton } from "#components/ui/copy-button.tsx";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from "#components/ui/overlays/dialog.tsx";
import type { LazyDialogProps } from "#components/ui/overlays/use-lazy-dialog.ts";
import { FileBrowser } from "./file-browser.tsx";
import type { BrowseConnection } from "./folder-page.ts";
import { nameOf } from "./folder-steps.ts";

interface FilesDialogProps extends LazyDialogProps {
  readonly connection: { readonly id: string; readonly name: string };
  readonly browse: BrowseConnection;
}

/** The files of a connection, with the text by which a request names each. */
export function FilesDialog(props: FilesDialogProps) {
  const { connection, browse, open, onOpenChange, onCloseAutoFocus } = props;
  const { id, name } = connection;
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent className="max-w-2xl" onCloseAutoFocus={onCloseAutoFocus}>
        <DialogHeader>
          <DialogTitle className="break-words">Files of “{name}”</DialogTitle>
          <DialogDescription>
            Copy a file’s reference and send it as <code>input</code>.
          </DialogDescription>
        </DialogHeader>
        <FileBrowser
          connectionId={id}
          name={name}
          browse={browse}
          renderAction={({ path }) => (
            <CopyButton text={`${id}:${path}`} label={`Copy reference of ${nameOf(path)}`} />
          )}
        />
      </DialogContent>
    </Dialog>
  );
}
