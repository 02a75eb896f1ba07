"use client";

import { FileIcon, LinkIcon } from "lucide-react";
import { formatBytes } from "#components/format.ts";
import { type Source, sourceKey, sourceName } from "../form/source.ts";
import { moveItem } from "./move-item.ts";
import { OrderedList } from "./ordered-list.tsx";
import { Thumbnail } from "./thumbnail.tsx";

interface SourceListProps {
  readonly sources: readonly Source[];
  readonly onChange: (change: (before: readonly Source[]) => readonly Source[]) => void;
}

/** Files in the order in which the operation gets them. */
export function SourceList({ sources, onChange }: SourceListProps) {
  return (
    <OrderedList
      label="Inputs in order"
      unit="position"
      items={sources.map((source, index) => ({
        key: sourceKey(source),
        name: sourceName(source),
        content: (
          <>
            <span
              aria-hidden="true"
              className="w-5 shrink-0 text-right text-xs text-muted-foreground tabular-nums"
            >
              {index + 1}
            </span>
            <SourceRow source={source} />
          </>
        ),
      }))}
      onMove={(from, to) => onChange((before) => moveItem(before, from, to))}
      onRemove={(index) => onChange((before) => before.filter((_, at) => at !== index))}
      className="max-h-96 overflow-y-auto"
    />
  );
}

function SourceRow({ source }: { source: Source }) {
  const isFile = source.kind === "file";
  const Icon = isFile ? FileIcon : LinkIcon;
  const icon = <Icon aria-hidden="true" className="size-4" />;
  return (
    <>
      {isFile ? (
        <Thumbnail file={source.file} fallback={icon} className="size-10" />
      ) : (
        <span className="grid size-10 shrink-0 place-items-center text-muted-foreground">
          {icon}
        </span>
      )}
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm" title={sourceName(source)}>
          {sourceName(source)}
        </span>
        {isFile && (
          <span className="block text-xs text-muted-foreground">
            {formatBytes(source.file.size)}
          </span>
        )}
      </span>
    </>
  );
}
