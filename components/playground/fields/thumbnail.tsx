"use client";

import { type ReactNode, useEffect, useState } from "react";

interface ThumbnailProps {
  readonly file: File;
  /** Stands where the file is no image, or none that the browser knows. */
  readonly fallback: ReactNode;
}

/** A small look at a file that has not been sent yet. */
export function Thumbnail({ file, fallback }: ThumbnailProps) {
  const [url, setUrl] = useState<string>();
  const isImage = file.type.startsWith("image/") && file.type !== "image/svg+xml";
  useEffect(() => {
    if (!isImage) return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [file, isImage]);
  return (
    <span className="grid size-12 shrink-0 place-items-center overflow-hidden rounded-md border bg-secondary text-muted-foreground">
      {url === undefined ? (
        fallback
      ) : (
        <img
          src={url}
          alt=""
          onError={() => setUrl(undefined)}
          className="size-full object-cover"
        />
      )}
    </span>
  );
}
