"use client";

import { FileIcon, LinkIcon, UploadIcon, XIcon } from "lucide-react";
import { type ClipboardEvent, type DragEvent, useId, useRef, useState } from "react";
import { cn } from "#components/class-names.ts";
import { formatBytes } from "#components/format.ts";
import { Button } from "#components/ui/button.tsx";
import { InlineCode } from "#components/ui/inline-code.tsx";
import { Input } from "#components/ui/input.tsx";
import type { FileField as FileFieldData } from "./form-field.ts";
import { SampleButtons } from "./sample-buttons.tsx";
import type { Source } from "./source.ts";
import { Thumbnail } from "./thumbnail.tsx";

interface FileFieldProps {
  readonly field: FileFieldData;
  readonly source: Source | undefined;
  readonly error: string | undefined;
  /** Called with true when a sample starts to load, and with false when it has ended. */
  readonly onBusy: (isBusy: boolean) => void;
  readonly onChange: (source: Source | undefined) => void;
}

/** A file: dropped, pasted, chosen, given by its URL, or one of the site's samples. */
export function FileField({ field, source, error, onBusy, onChange }: FileFieldProps) {
  const id = useId();
  const isMain = field.part === "file";
  const note = error ? `${id}-error` : undefined;
  return (
    <fieldset className="grid min-w-0 gap-2" aria-describedby={note}>
      <legend className="mb-2 flex items-center gap-2 text-sm leading-none font-medium">
        {isMain ? "Input" : <span className="font-mono">{field.part}</span>}
        <span className="font-normal text-muted-foreground">
          {field.required ? "required" : "optional"}
        </span>
      </legend>
      {source?.kind === "file" ? (
        <ChosenFile file={source.file} onRemove={() => onChange(undefined)} />
      ) : (
        <FileInput
          field={field}
          source={source}
          invalid={error !== undefined}
          note={note}
          onBusy={onBusy}
          onChange={onChange}
        />
      )}
      {field.description && <p className="text-sm text-muted-foreground">{field.description}</p>}
      {error && (
        <p id={note} role="alert" className="text-sm text-destructive">
          <InlineCode text={error} />
        </p>
      )}
    </fieldset>
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

interface FileInputProps {
  readonly field: FileFieldData;
  readonly source: Extract<Source, { kind: "url" }> | undefined;
  readonly invalid: boolean;
  readonly note: string | undefined;
  readonly onBusy: (isBusy: boolean) => void;
  readonly onChange: (source: Source | undefined) => void;
}

function FileInput({ field, source, invalid, note, onBusy, onChange }: FileInputProps) {
  const [isDragging, setDragging] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const what = field.part === "file" ? "the input" : `the ${field.part}`;

  function take(files: FileList | null | undefined): boolean {
    const file = files?.[0];
    if (file) onChange({ kind: "file", file });
    return file !== undefined;
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setDragging(false);
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
        "grid gap-3 rounded-lg border border-dashed border-input p-4 transition-colors",
        isDragging && "border-solid border-brand bg-brand/5",
        invalid && "border-destructive",
      )}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button variant="outline" size="sm" onClick={() => chooser.current?.click()}>
          <UploadIcon aria-hidden="true" />
          Choose a file
        </Button>
        <p className="text-sm text-muted-foreground">or drop it here: {field.types}</p>
        <input
          ref={chooser}
          type="file"
          tabIndex={-1}
          aria-label={`Choose ${what}`}
          accept={field.accept || undefined}
          onChange={(event) => take(event.target.files)}
          className="sr-only"
        />
      </div>
      <span className="relative">
        <LinkIcon
          aria-hidden="true"
          className="pointer-events-none absolute top-2.5 left-2.5 size-4 text-muted-foreground"
        />
        <Input
          type="url"
          aria-label={`URL of ${what}`}
          aria-invalid={invalid || undefined}
          aria-describedby={note}
          placeholder="or paste its URL, https://…"
          autoComplete="off"
          value={source?.url ?? ""}
          onChange={({ target }) =>
            onChange(target.value === "" ? undefined : { kind: "url", url: target.value })
          }
          className="pl-8"
        />
      </span>
      <SampleButtons
        samples={field.samples}
        onBusy={onBusy}
        onLoad={(file) => onChange({ kind: "file", file })}
      />
    </div>
  );
}
