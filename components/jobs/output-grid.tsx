"use client";

import { FileArchiveIcon, FileIcon, FileTextIcon, MusicIcon, VideoIcon } from "lucide-react";
import { useState } from "react";
import { cn } from "#components/class-names.ts";
import { formatBytes } from "#components/format.ts";
import { PictureOrIcon } from "#components/preview/picture-or-icon.tsx";
import { type PreviewFile, previewKind } from "#components/preview/preview-file.ts";
import { Button } from "#components/ui/button.tsx";

interface OutputGridProps {
  readonly files: readonly PreviewFile[];
  /** The index of the file that is shown in full. */
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
}

/** How many files are shown at first. */
const shownFirst = 48;

/** Several outputs with their names, of which one is chosen. */
export function OutputGrid({ files, chosen, onChoose }: OutputGridProps) {
  const [isComplete, setComplete] = useState(false);
  const shown = isComplete ? files : files.slice(0, shownFirst);
  return (
    <div className="grid gap-3">
      <ul
        aria-label="Outputs"
        className="grid max-h-[60vh] grid-cols-[repeat(auto-fill,minmax(7rem,1fr))] gap-2 overflow-y-auto p-1"
      >
        {shown.map((file, index) => (
          <li key={file.url}>
            <button
              type="button"
              aria-pressed={index === chosen}
              onClick={() => onChoose(index)}
              title={file.filename}
              className={cn(
                "grid w-full overflow-hidden rounded-md border bg-card text-left hover:border-brand",
                index === chosen && "border-brand ring-1 ring-brand",
              )}
            >
              <span className="grid aspect-4/3 place-items-center overflow-hidden bg-secondary text-muted-foreground">
                <Tile file={file} />
              </span>
              <span className="grid px-2 py-1.5 text-xs">
                <span className="truncate">{file.filename}</span>
                <span className="truncate text-muted-foreground">{describeTile(file)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {shown.length < files.length && (
        <Button variant="outline" size="sm" className="w-fit" onClick={() => setComplete(true)}>
          Show all {files.length}
        </Button>
      )}
    </div>
  );
}

const icons = {
  image: FileIcon,
  video: VideoIcon,
  audio: MusicIcon,
  pdf: FileTextIcon,
  text: FileTextIcon,
  zip: FileArchiveIcon,
  none: FileIcon,
} as const;

function Tile({ file }: { file: PreviewFile }) {
  const Icon = icons[previewKind(file)];
  return (
    <PictureOrIcon
      file={file}
      icon={<Icon aria-hidden="true" className="size-6" strokeWidth={1.5} />}
    />
  );
}

/** Describes a file as `640 × 480`, or by its size in bytes if it has no width. */
function describeTile({ width, height, bytes }: PreviewFile): string {
  return width && height ? `${width} × ${height}` : formatBytes(bytes);
}
