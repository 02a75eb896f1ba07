"use client";

import { UploadIcon } from "lucide-react";
import { useRef } from "react";
import { cn } from "#components/class-names.ts";
import { formatBytes } from "#components/format.ts";
import type { TryFile } from "./presets.ts";
import type { TrySample } from "./samples.ts";

interface FileChoiceProps {
  readonly samples: readonly TrySample[];
  readonly file: TryFile | undefined;
  readonly onChoose: (file: TryFile) => void;
  readonly maxFileBytes: number;
}

const tile =
  "grid w-full cursor-pointer grid-rows-[4rem_auto] overflow-hidden rounded-lg border bg-background text-center text-xs hover:border-brand";

/** The site's samples as pictures, and a place for a file of one's own. */
export function FileChoice({ samples, file, onChoose, maxFileBytes }: FileChoiceProps) {
  const chooser = useRef<HTMLInputElement>(null);
  const own = file?.kind === "own" ? file.file : undefined;

  function take(files: FileList | null) {
    const [first] = files ?? [];
    if (first) onChoose({ kind: "own", file: first });
  }

  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm font-medium">1. Choose a file</legend>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(6.25rem,1fr))] gap-2">
        <li>
          <button
            type="button"
            aria-pressed={own !== undefined}
            onClick={() => chooser.current?.click()}
            className={cn(
              tile,
              "border-dashed border-input",
              own && "border-solid border-brand ring-1 ring-brand",
            )}
          >
            <span className="grid place-items-center text-muted-foreground">
              <UploadIcon aria-hidden="true" className="size-5" />
            </span>
            <span className="truncate border-t px-2 py-1.5" title={own?.name}>
              {own ? own.name : "Your file"}
            </span>
          </button>
          <input
            ref={chooser}
            type="file"
            tabIndex={-1}
            aria-label="Choose your file"
            onChange={({ target }) => {
              take(target.files);
              // The same file can then be chosen again.
              target.value = "";
            }}
            className="sr-only"
          />
        </li>
        {samples.map((sample) => {
          const isChosen = file?.kind === "sample" && file.sample === sample;
          return (
            <li key={sample.name}>
              <button
                type="button"
                aria-pressed={isChosen}
                onClick={() => onChoose({ kind: "sample", sample })}
                className={cn(tile, isChosen && "border-brand ring-1 ring-brand")}
              >
                <img src={sample.tile} alt="" className="size-full object-cover object-top" />
                <span className="truncate border-t px-2 py-1.5">{sample.label}</span>
              </button>
            </li>
          );
        })}
      </ul>
      <p className="mt-2 text-xs text-muted-foreground">
        Or drop a file of yours anywhere on this page: up to {formatBytes(maxFileBytes)}.
      </p>
    </fieldset>
  );
}
