"use client";

import { UploadIcon } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { type DroppedFile, readDropped } from "../form/dropped-files.ts";

interface PageDropProps {
  /** What can be dropped: "a file, a folder or a ZIP". */
  readonly what: string;
  readonly onFiles: (files: readonly DroppedFile[]) => void;
}

/** Takes files that are dropped anywhere on the page, and shows that it does while they are dragged over it. */
export function PageDrop({ what, onFiles }: PageDropProps) {
  const [isDragging, setDragging] = useState(false);
  const take = useEffectEvent(onFiles);
  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const hasFiles = ({ dataTransfer }: DragEvent) =>
      dataTransfer?.types.includes("Files") === true;
    const drag = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDragging(true);
    };
    window.addEventListener("dragenter", drag, { signal });
    window.addEventListener("dragover", drag, { signal });
    window.addEventListener(
      "dragleave",
      // Without a related target, the pointer has left the window.
      (event) => event.relatedTarget === null && setDragging(false),
      { signal },
    );
    // A field of the page may take the drop for itself and stop it.
    window.addEventListener("drop", () => setDragging(false), { signal, capture: true });
    window.addEventListener(
      "drop",
      (event) => {
        if (!hasFiles(event) || !event.dataTransfer) return;
        event.preventDefault();
        void readDropped(event.dataTransfer).then(take);
      },
      { signal },
    );
    return () => listeners.abort();
  }, []);
  if (!isDragging) return null;
  return (
    <div className="pointer-events-none fixed inset-0 z-50 grid place-items-center bg-background/70 p-4">
      <div className="absolute inset-3 rounded-xl border-4 border-dashed border-brand" />
      <p className="flex items-center gap-3 rounded-lg border bg-card px-6 py-4 text-lg font-medium shadow-lg">
        <UploadIcon aria-hidden="true" className="size-6 text-brand" />
        Drop {what}
      </p>
    </div>
  );
}
