"use client";

import { CircleAlertIcon, FileIcon } from "lucide-react";
import Link from "next/link";
import { memo, type ReactNode } from "react";
import { cn } from "#components/class-names.ts";
import { formatBytes } from "#components/format.ts";
import { toPreviewFile } from "#components/preview/output-file.ts";
import { PictureOrIcon } from "#components/preview/picture-or-icon.tsx";
import { previewKind } from "#components/preview/preview-file.ts";
import { type BatchItem, type ItemState, outputBytes } from "./batch.ts";

/** The files of a batch in order, each with its state and, once it is done, a picture of its result. */
export function BatchGrid({ items }: { items: readonly BatchItem[] }) {
  return (
    <ul
      aria-label="Files"
      className="grid max-h-[60vh] grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-2 overflow-y-auto p-1"
    >
      {items.map((item) => (
        <Tile key={item.index} item={item} />
      ))}
    </ul>
  );
}

/** Memoized: of hundreds of files, only a few change at a time. */
const Tile = memo(function Tile({ item }: { item: BatchItem }) {
  const { path, file, state } = item;
  const jobId = jobOf(state);
  const content = (
    <>
      <span className="relative grid aspect-4/3 place-items-center overflow-hidden bg-secondary text-muted-foreground">
        <Picture state={state} />
        {"percent" in state && (
          <span
            className="absolute bottom-0 left-0 h-1 bg-brand forced-color-adjust-none"
            style={{
              width: `${state.kind === "sending" ? state.percent / 4 : 25 + state.percent * 0.75}%`,
            }}
          />
        )}
      </span>
      <span className="grid px-2 py-1.5 text-xs">
        <span className="truncate">{file.name}</span>
        <span
          className={cn(
            "truncate text-muted-foreground tabular-nums",
            state.kind === "failed" && "text-destructive",
          )}
        >
          {describeState(item)}
        </span>
      </span>
    </>
  );
  return (
    // Tiles out of view cost no layout.
    <li className="[contain-intrinsic-size:auto_8.5rem] [content-visibility:auto]">
      <Frame path={path} jobId={jobId} isFailed={state.kind === "failed"}>
        {content}
      </Frame>
    </li>
  );
});

interface FrameProps {
  readonly path: string;
  readonly jobId: string | undefined;
  readonly isFailed: boolean;
  readonly children: ReactNode;
}

/** A tile with a job leads to its page, in another tab: this one keeps the batch. */
function Frame({ path, jobId, isFailed, children }: FrameProps) {
  const className = cn(
    "grid w-full overflow-hidden rounded-md border bg-card",
    isFailed && "border-destructive/60",
  );
  if (jobId === undefined) {
    return (
      <div title={path} className={className}>
        {children}
      </div>
    );
  }
  return (
    <Link
      href={`/dashboard/jobs/${jobId}`}
      prefetch={false}
      target="_blank"
      title={path}
      className={cn(className, "hover:border-brand")}
    >
      {children}
    </Link>
  );
}

function jobOf(state: ItemState): string | undefined {
  if (state.kind === "done") return state.details.job.id;
  return "jobId" in state ? state.jobId : undefined;
}

function describeState({ file, state }: BatchItem): string {
  switch (state.kind) {
    case "waiting":
      return "Waiting";
    case "sending":
      return `Uploading ${Math.round(state.percent)}%`;
    case "running":
      return `Processing ${Math.round(state.percent)}%`;
    case "done":
      return `${formatBytes(file.size)} → ${formatBytes(outputBytes(state))}`;
    case "failed":
      return "Failed";
    case "cancelled":
      return "Cancelled";
  }
}

/** The first output that is a picture. */
function Picture({ state }: { state: ItemState }) {
  if (state.kind === "failed") return <CircleAlertIcon aria-hidden="true" className="size-6" />;
  const outputs = state.kind === "done" ? state.details.job.outputs.map(toPreviewFile) : [];
  const picture = outputs.find((output) => previewKind(output) === "image");
  const icon = <FileIcon aria-hidden="true" className="size-6" strokeWidth={1.5} />;
  return <PictureOrIcon file={picture} icon={icon} />;
}
