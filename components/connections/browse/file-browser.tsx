"use client";

import { FileIcon, FolderIcon } from "lucide-react";
import type { ReactNode } from "react";
import { formatBytes } from "#components/format.ts";
import { Message } from "#components/forms/message.tsx";
import { Button } from "#components/ui/button.tsx";
import { InlineCode } from "#components/ui/inline-code.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { BrowseConnection, BrowsedFile } from "./folder-page.ts";
import { FolderPath } from "./folder-path.tsx";
import { nameOf } from "./folder-steps.ts";
import { type LoadedFolder, useFolder } from "./use-folder.ts";

interface FileBrowserProps {
  readonly connectionId: string;
  /** What its root is called. */
  readonly name: string;
  readonly browse: BrowseConnection;
  /** What can be done with a file. */
  readonly renderAction: (file: BrowsedFile) => ReactNode;
}

/** The folders and files of a connection. */
export function FileBrowser({ connectionId, name, browse, renderAction }: FileBrowserProps) {
  const { folder, path, error, isLoading, open, loadMore, retry } = useFolder(connectionId, browse);
  return (
    <div className="grid min-w-0 gap-3">
      <FolderPath root={name} path={path} onOpen={open} />
      {error !== undefined && (
        <div className="grid justify-items-start gap-2">
          <Message kind="error">
            <InlineCode text={error} />
          </Message>
          <Button variant="outline" size="sm" onClick={retry}>
            Try again
          </Button>
        </div>
      )}
      {folder && <Entries folder={folder} onOpen={open} renderAction={renderAction} />}
      <div aria-live="polite">
        {isLoading && !folder && (
          <div className="grid gap-2">
            <span className="sr-only">Loading</span>
            <Skeleton className="h-11" />
            <Skeleton className="h-11" />
            <Skeleton className="h-11" />
          </div>
        )}
        {folder?.nextCursor && (
          <Button variant="outline" size="sm" aria-disabled={isLoading} onClick={loadMore}>
            {isLoading ? "Loading…" : "Show more"}
          </Button>
        )}
      </div>
    </div>
  );
}

interface EntriesProps {
  readonly folder: LoadedFolder;
  readonly onOpen: (path: string) => void;
  readonly renderAction: FileBrowserProps["renderAction"];
}

function Entries({ folder: { path, folders, files }, onOpen, renderAction }: EntriesProps) {
  if (folders.length + files.length === 0) {
    return (
      <p role="status" className="rounded-lg border p-6 text-center text-sm text-muted-foreground">
        {path === "" ? "The connection has no files yet." : "This folder is empty."}
      </p>
    );
  }
  const icon = "size-4 shrink-0 text-muted-foreground";
  return (
    <ul
      aria-label="Folders and files"
      className="max-h-[50vh] divide-y overflow-y-auto rounded-lg border"
    >
      {folders.map((folder) => (
        <li key={folder}>
          <button
            type="button"
            onClick={() => onOpen(folder)}
            className="flex w-full min-w-0 items-center gap-3 px-3 py-2.5 text-left text-sm hover:bg-secondary"
          >
            <FolderIcon aria-hidden="true" className={icon} />
            <span className="truncate">{nameOf(folder)}</span>
            <span className="sr-only">, folder</span>
          </button>
        </li>
      ))}
      {files.map((file) => (
        <li key={file.path} className="flex min-w-0 items-center gap-3 px-3 py-2 text-sm">
          <FileIcon aria-hidden="true" className={icon} />
          <span className="min-w-0 flex-1">
            <span className="block truncate" title={nameOf(file.path)}>
              {nameOf(file.path)}
            </span>
            <span className="block text-xs text-muted-foreground">
              {formatBytes(file.bytes)}
              {file.modifiedAt !== null && (
                <>
                  {", "}
                  <LocalTime time={file.modifiedAt} />
                </>
              )}
            </span>
          </span>
          {renderAction(file)}
        </li>
      ))}
    </ul>
  );
}
