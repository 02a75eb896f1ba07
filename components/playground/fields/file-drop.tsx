"use client";

import { FolderIcon, UploadIcon } from "lucide-react";
import { type ClipboardEvent, type DragEvent, type ReactNode, useRef, useState } from "react";
import { cn } from "#components/class-names.ts";
import { Button } from "#components/ui/button.tsx";
import { type DroppedFile, fromList } from "../form/dropped-files.ts";

interface FileDropProps {
  /** What is chosen, such as "the input". */
  readonly what: string;
  /** Which types are accepted, for people. */
  readonly types: string;
  /** The `accept` attribute of the file input. */
  readonly accept: string;
  readonly multiple?: boolean;
  readonly invalid: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  /**
   * Takes many files at once for a form that is run on each of them, also from a folder. Drops are
   * then left to the page, which takes them anywhere.
   */
  readonly onMany?: ((files: readonly DroppedFile[]) => void) | undefined;
  /** What is above the button, such as a list of files. Files can be dropped on it too. */
  readonly above?: ReactNode;
  readonly children: ReactNode;
}

/** Takes files that are dropped, pasted or chosen. */
export function FileDrop(props: FileDropProps) {
  const {
    what,
    types,
    accept,
    multiple = false,
    invalid,
    onFiles,
    onMany,
    above,
    children,
  } = props;
  const [isDragging, setDragging] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const folderChooser = useRef<HTMLInputElement>(null);

  function take(files: FileList | null): boolean {
    const isMany = (files?.length ?? 0) > 1 || /\.zip$/i.test(files?.[0]?.name ?? "");
    if (files && isMany && onMany) {
      onMany(fromList(files));
      return true;
    }
    const chosen = [...(files ?? [])].slice(0, multiple ? undefined : 1);
    if (chosen.length > 0) onFiles(chosen);
    return chosen.length > 0;
  }

  function drop(event: DragEvent) {
    setDragging(false);
    if (onMany) return;
    event.preventDefault();
    event.stopPropagation();
    take(event.dataTransfer.files);
  }

  function paste(event: ClipboardEvent) {
    if (take(event.clipboardData.files)) event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: with the keyboard, the button does the same.
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setDragging(true);
      }}
      onDragLeave={() => setDragging(false)}
      onDrop={drop}
      onPaste={paste}
      className={cn(
        "grid min-w-0 gap-3 rounded-lg border border-dashed border-input p-4 transition-colors",
        isDragging && "border-solid border-brand bg-brand/5",
        invalid && "border-destructive",
      )}
    >
      {above}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button variant="outline" size="sm" onClick={() => chooser.current?.click()}>
          <UploadIcon aria-hidden="true" />
          {multiple ? "Choose files" : "Choose a file"}
        </Button>
        {onMany && (
          <Button variant="outline" size="sm" onClick={() => folderChooser.current?.click()}>
            <FolderIcon aria-hidden="true" />
            Choose a folder
          </Button>
        )}
        <p className="text-sm text-muted-foreground">
          {onMany
            ? "or drop a file, many files, a folder or a ZIP anywhere on this page"
            : `or drop ${multiple ? "them" : "it"} here`}
          : {types}
        </p>
        {onMany && (
          <input
            ref={folderChooser}
            type="file"
            tabIndex={-1}
            aria-label="Choose a folder"
            // @ts-expect-error: React does not know the attribute, which all browsers have.
            webkitdirectory=""
            onChange={({ target }) => {
              onMany(fromList(target.files ?? []));
              target.value = "";
            }}
            className="sr-only"
          />
        )}
        <input
          ref={chooser}
          type="file"
          multiple={multiple || onMany !== undefined}
          tabIndex={-1}
          aria-label={`Choose ${what}`}
          accept={accept || undefined}
          onChange={({ target }) => {
            take(target.files);
            // The same file can then be chosen again.
            target.value = "";
          }}
          className="sr-only"
        />
      </div>
      {children}
    </div>
  );
}
