"use client";

import { FileIcon } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { formatBytes } from "#components/format.ts";
import { Sending } from "#components/playground/run-panel.tsx";
import type { RunState } from "#components/playground/state/use-run.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { useLazyComponent } from "#components/ui/use-lazy-component.ts";
import type { TryFile } from "./presets.ts";

const load = () =>
  import("#components/playground/job-result.tsx").then((module) => module.JobResult);

interface TryResultProps {
  readonly state: RunState;
  readonly file: TryFile | undefined;
  readonly onAbort: () => void;
}

/** The file before the run; then the upload, the timeline and the result. */
export function TryResult({ state, file, onAbort }: TryResultProps) {
  // The script that shows the result is loaded during the upload.
  const { Component: JobResult, preload, show } = useLazyComponent(load);
  const preloadResult = useEffectEvent(preload);
  const showResult = useEffectEvent(show);
  useEffect(() => {
    if (state.kind === "accepted") showResult();
    else if (state.kind === "sending") preloadResult();
  }, [state.kind]);
  if (state.kind === "sending") return <Sending {...state} onAbort={onAbort} />;
  if (state.kind === "idle") return file ? <Original file={file} /> : null;
  if (!JobResult) return <Skeleton className="h-40 w-full" />;
  return <JobResult key={state.jobId} id={state.jobId} path="/try/jobs" />;
}

/** The chosen file as a picture. */
function Original({ file }: { file: TryFile }) {
  const name = file.kind === "own" ? file.file.name : file.sample.name;
  return (
    <figure className="grid gap-3">
      <div className="grid min-h-56 place-items-center overflow-hidden rounded-lg border bg-secondary p-3 text-muted-foreground">
        {file.kind === "own" ? (
          <OwnPicture key={name} file={file.file} />
        ) : (
          <img
            src={file.sample.picture}
            alt={name}
            className="max-h-[28rem] max-w-full rounded-sm"
          />
        )}
      </div>
      <figcaption className="flex justify-between gap-3 text-xs text-muted-foreground">
        <span className="truncate font-mono">{name}</span>
        {file.kind === "own" && <span>{formatBytes(file.file.size)}</span>}
      </figcaption>
    </figure>
  );
}

/** An image as it is; an icon for files that the browser does not show as an image. */
function OwnPicture({ file }: { file: File }) {
  const [url, setUrl] = useState<string>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!file.type.startsWith("image/")) return;
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  if (url === undefined || failed) {
    return <FileIcon aria-hidden="true" className="size-10" strokeWidth={1.25} />;
  }
  return (
    <img
      src={url}
      alt={file.name}
      onError={() => setFailed(true)}
      className="max-h-[28rem] max-w-full rounded-sm"
    />
  );
}
