"use client";

import { FilesIcon, XIcon } from "lucide-react";
import { formatBytes } from "#components/format.ts";
import { Button } from "#components/ui/button.tsx";
import { FileFieldset } from "../fields/file-fieldset.tsx";
import type { DroppedFile } from "../form/dropped-files.ts";
import type { FileField } from "../form/form-field.ts";

interface BatchFieldProps {
  readonly field: FileField;
  readonly files: readonly DroppedFile[];
  /** How many of them the operation does not take. */
  readonly unusable: number;
  readonly error: string | undefined;
  readonly onRemove: () => void;
}

/** How many names are shown. */
const shownNames = 3;

/** The files on which the form is run one by one. */
export function BatchField({ field, files, unusable, error, onRemove }: BatchFieldProps) {
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  const names = files.slice(0, shownNames).map(({ path }) => path);
  const more = files.length - names.length;
  return (
    <FileFieldset field={field} legend="Inputs" count="one job for each file" error={error}>
      {() => (
        <div className="flex items-start gap-3 rounded-lg border bg-card p-3">
          <FilesIcon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted-foreground" />
          <div className="grid min-w-0 flex-1 gap-1">
            <p role="status" className="text-sm font-medium tabular-nums">
              {files.length} files, {formatBytes(bytes)}
            </p>
            <p className="text-xs break-words text-muted-foreground">
              {names.join(", ")}
              {more > 0 && ` and ${more} more`}
            </p>
            {unusable > 0 && (
              <p className="text-xs text-muted-foreground">
                {unusable} of them cannot be used here: the operation takes {field.types}.
              </p>
            )}
          </div>
          <Button variant="ghost" size="icon-sm" onClick={onRemove}>
            <XIcon />
            <span className="sr-only">Remove all files</span>
          </Button>
        </div>
      )}
    </FileFieldset>
  );
}
