"use client";

import { type ReactNode, useEffect, useState } from "react";

interface ThumbnailProps {
  readonly file: File;
  /** Shown if the file is no image, or an image that the browser cannot decode. */
  readonly fallback: ReactNode;
}

/** A small preview of a file that has not been sent yet. */
export function Thumbnail({ file, fallback }: ThumbnailProps) {
  const [url, setUrl] = useState<string>();
  const isImage = file.type.startsWith("image/") && file.type !== "image/svg+xml";
  useEffect(() => {
    if (!isImage) return;
    const objectUrl = URL.createObjectURL(file);
    setUrl(objectUrl);
    return () => {
      URL.revokeObjectURL(objectUrl);
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
