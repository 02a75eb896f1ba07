"use client";

import { useEffect, useState } from "react";
import type { MediaSize } from "./result-facts.ts";

/**
 * The size of a file as the browser reads it from the file's start; undefined until it is read, and for a type that
 * the browser does not show.
 */
export function useMediaSize(
  url: string | null | undefined,
  contentType: string | null | undefined,
): MediaSize | undefined {
  const [size, setSize] = useState<MediaSize>();
  useEffect(() => {
    if (!url || !contentType) return;
    let isCurrent = true;
    const report = (next: MediaSize) => {
      if (isCurrent) setSize(next);
    };
    if (contentType.startsWith("image/")) {
      const image = new Image();
      image.onload = () => report({ width: image.naturalWidth, height: image.naturalHeight });
      image.src = url;
    } else if (/^(video|audio)\//.test(contentType)) {
      const media = document.createElement("video");
      media.preload = "metadata";
      media.onloadedmetadata = () => {
        const { videoWidth: width, videoHeight: height, duration } = media;
        report({ ...(width && { width, height }), ...(Number.isFinite(duration) && { duration }) });
      };
      media.src = url;
    }
    return () => {
      isCurrent = false;
    };
  }, [url, contentType]);
  return size;
}
