"use client";

import { ArrowDownAZIcon, PlusIcon } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { formatBytes } from "#components/format.ts";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast/toast.ts";
import { FromConnection } from "../connections/from-connection.tsx";
import { describeCount, type FileField } from "../form/form-field.ts";
import { isProvided, type Source, sourceName } from "../form/source.ts";
import { FileDrop } from "./file-drop.tsx";
import { FileFieldset } from "./file-fieldset.tsx";
import { SampleButtons } from "./sample-buttons.tsx";
import { SourceList } from "./source-list.tsx";
import { UrlInput } from "./url-input.tsx";

export interface FilesFieldProps {
  readonly field: FileField;
  readonly sources: readonly Source[];
  readonly error: string | undefined;
  /**
   * The function that is called with true when samples start to load, and with false when this has
   * ended.
   */
  readonly onBusy: (isBusy: boolean) => void;
  readonly onChange: (change: (before: readonly Source[]) => readonly Source[]) => void;
}

/** Several files in order: dropped, pasted, chosen, given by URL, or the site's samples. */
export function FilesField({ field, sources, error, onBusy, onChange }: FilesFieldProps) {
  const { min, max } = field.count;
  const invalid = error !== undefined;

  function add(added: readonly Source[]) {
    if (sources.length + added.length > max) toast.error(`At most ${max} files are allowed.`);
    onChange((before) => [...before, ...added].slice(0, max));
  }

  const addFiles = (files: readonly File[]) => add(files.map((file) => ({ kind: "file", file })));
  return (
    <FileFieldset
      field={field}
      legend="Inputs"
      count={`${describeCount(field.count)} files, in order`}
      error={error}
    >
      {(note) => (
        <FileDrop
          what="the inputs"
          types={field.types}
          accept={field.accept}
          multiple
          invalid={invalid}
          onFiles={addFiles}
          above={
            sources.length > 0 && (
              <div className="grid min-w-0 gap-2">
                <SourceList sources={sources} onChange={onChange} />
                <Summary sources={sources} min={min} onChange={onChange} />
              </div>
            )
          }
        >
          <UrlAdder invalid={invalid} note={note} onAdd={(url) => add([{ kind: "url", url }])} />
          <FromConnection what="an input" onChoose={(url) => add([{ kind: "url", url }])} />
          <SampleButtons
            samples={field.samples}
            set={field.sampleSet}
            onBusy={onBusy}
            onLoad={addFiles}
          />
        </FileDrop>
      )}
    </FileFieldset>
  );
}

interface SummaryProps extends Pick<FilesFieldProps, "sources" | "onChange"> {
  readonly min: number;
}

/** The number of files and their size, and actions on all of them. */
function Summary({ sources, min, onChange }: SummaryProps) {
  const { length } = sources.filter(isProvided);
  const bytes = sources.reduce((sum, one) => sum + (one.kind === "file" ? one.file.size : 0), 0);
  const missing = min - length;
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 text-xs text-muted-foreground">
      <p role="status" className="tabular-nums">
        {length} {length === 1 ? "file" : "files"}
        {bytes > 0 && `, ${formatBytes(bytes)}`}
        {missing > 0 && `. Add at least ${missing} more.`}
      </p>
      <span className="flex gap-1">
        <Button
          variant="ghost"
          size="sm"
          disabled={length < 2}
          onClick={() => onChange((before) => before.toSorted(compareNames))}
        >
          <ArrowDownAZIcon aria-hidden="true" />
          Sort by name
        </Button>
        <Button variant="ghost" size="sm" onClick={() => onChange(() => [])}>
          Remove all
        </Button>
      </span>
    </div>
  );
}

/** Numbers in names count as numbers: `frame-2.png` is before `frame-10.png`. */
const collator = new Intl.Collator("en", { numeric: true });

function compareNames(one: Source, other: Source): number {
  return collator.compare(sourceName(one), sourceName(other));
}

interface UrlAdderProps {
  readonly invalid: boolean;
  readonly note: string | undefined;
  readonly onAdd: (url: string) => void;
}

function UrlAdder({ invalid, note, onAdd }: UrlAdderProps) {
  const [url, setUrl] = useState("");

  function add() {
    if (url.trim() === "") return;
    onAdd(url.trim());
    setUrl("");
  }

  function addByKey(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.metaKey || event.ctrlKey) return;
    // Enter would otherwise send the form.
    event.preventDefault();
    add();
  }

  return (
    <div className="flex gap-2">
      <UrlInput
        aria-label="URL of a further input"
        aria-invalid={invalid || undefined}
        aria-describedby={note}
        placeholder="or add a URL, https://…"
        value={url}
        onChange={({ target }) => setUrl(target.value)}
        onKeyDown={addByKey}
        // A URL that was typed but not added would be missing from the run.
        onBlur={() => /^https?:\/\/./.test(url) && add()}
      />
      <Button variant="outline" size="icon" onClick={add} disabled={url.trim() === ""}>
        <PlusIcon aria-hidden="true" />
        <span className="sr-only">Add URL</span>
      </Button>
    </div>
  );
}
