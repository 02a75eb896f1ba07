"use client";

import { FileIcon, XIcon } from "lucide-react";
import { formatBytes } from "#components/format.ts";
import { Button } from "#components/ui/button.tsx";
import { FromConnection } from "../connections/from-connection.tsx";
import type { DroppedFile } from "../form/dropped-files.ts";
import type { FileField as FileFieldData } from "../form/form-field.ts";
import type { Source } from "../form/source.ts";
import { FileDrop } from "./file-drop.tsx";
import { FileFieldset } from "./file-fieldset.tsx";
import { SampleButtons } from "./sample-buttons.tsx";
import { Thumbnail } from "./thumbnail.tsx";
import { UrlInput } from "./url-input.tsx";

interface FileFieldProps {
  readonly field: FileFieldData;
  readonly source: Source | undefined;
  readonly error: string | undefined;
  /**
   * The function that is called with true when a sample starts to load, and with false when it has
   * ended.
   */
  readonly onBusy: (isBusy: boolean) => void;
  readonly onChange: (source: Source | undefined) => void;
  /** Takes many files, on each of which the form is run; undefined if the form cannot be. */
  readonly onMany?: ((files: readonly DroppedFile[]) => void) | undefined;
}

/** A file: dropped, pasted, chosen, given by its URL, or one of the site's samples. */
export function FileField({ field, source, error, onBusy, onChange, onMany }: FileFieldProps) {
  const isMain = field.part === "file";
  const what = isMain ? "the input" : `the ${field.part}`;
  const invalid = error !== undefined;
  const takeFile = (file: File | undefined) => onChange(file && { kind: "file", file });
  return (
    <FileFieldset
      field={field}
      legend={isMain ? "Input" : <span className="font-mono">{field.part}</span>}
      count={field.required ? "required" : "optional"}
      error={error}
    >
      {(note) =>
        source?.kind === "file" ? (
          <ChosenFile file={source.file} onRemove={() => onChange(undefined)} />
        ) : (
          <FileDrop
            what={what}
            types={field.types}
            accept={field.accept}
            invalid={invalid}
            onFiles={([file]) => takeFile(file)}
            onMany={onMany}
          >
            <UrlInput
              aria-label={`URL of ${what}`}
              aria-invalid={invalid || undefined}
              aria-describedby={note}
              placeholder="or paste its URL, https://…"
              value={source?.url ?? ""}
              onChange={({ target }) =>
                onChange(target.value === "" ? undefined : { kind: "url", url: target.value })
              }
            />
            <FromConnection what={what} onChoose={(url) => onChange({ kind: "url", url })} />
            <SampleButtons
              samples={field.samples}
              onBusy={onBusy}
              onLoad={([file]) => takeFile(file)}
            />
          </FileDrop>
        )
      }
    </FileFieldset>
  );
}

function ChosenFile({ file, onRemove }: { file: File; onRemove: () => void }) {
  return (
    <div className="flex items-center gap-3 rounded-lg border bg-card p-3">
      <Thumbnail file={file} fallback={<FileIcon aria-hidden="true" className="size-5" />} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium" title={file.name}>
          {file.name}
        </p>
        <p className="text-xs text-muted-foreground">{formatBytes(file.size)}</p>
      </div>
      <Button ref={restoreFocus} variant="ghost" size="icon-sm" onClick={onRemove}>
        <XIcon />
        <span className="sr-only">Remove {file.name}</span>
      </Button>
    </div>
  );
}

/** The focused control is gone when a file is chosen. Without focus, the form receives no key events. */
function restoreFocus(button: HTMLButtonElement | null): void {
  if (button && document.activeElement === document.body) button.focus({ preventScroll: true });
}
