"use client";

import { type ReactNode, useEffect, useState } from "react";
import { cn } from "#components/class-names.ts";

interface ThumbnailProps {
  readonly file: File;
  /** What is shown if the file is neither an image nor a video that the browser can decode. */
  readonly fallback: ReactNode;
  readonly className?: string;
}

/** A small preview of a file that has not been sent yet. */
export function Thumbnail({ file, fallback, className }: ThumbnailProps) {
  const [url, setUrl] = useState<string>();
  const kind = /^(?:image|video)\//.exec(file.type)?.[0];
  useEffect(() => {
    if (kind === undefined) return;
    const objectUrl = URL.createObjectURL(file);
    setUrl(objectUrl);
    return () => {
      URL.revokeObjectURL(objectUrl);
      setUrl(undefined);
    };
  }, [file, kind]);
  return (
    <span
      className={cn(
        "grid size-12 shrink-0 place-items-center overflow-hidden rounded-md border bg-secondary text-muted-foreground",
        className,
      )}
    >
      {url === undefined ? (
        fallback
      ) : kind === "video/" ? (
        <video
          src={url}
          muted
          preload="metadata"
          tabIndex={-1}
          // Many videos start with black.
          onLoadedMetadata={({ currentTarget: video }) => {
            if (Number.isFinite(video.duration)) video.currentTime = video.duration / 10;
          }}
          onError={() => setUrl(undefined)}
          className="pointer-events-none size-full object-cover"
        />
      ) : (
        <img
          src={url}
          alt=""
          decoding="async"
          draggable={false}
          onError={() => setUrl(undefined)}
          className="size-full object-cover"
        />
      )}
    </span>
  );
}
