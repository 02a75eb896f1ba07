"use client";

import { useEffect, useRef } from "react";
import type { Size } from "./box.ts";
import type { FormMedia } from "./form-media.tsx";

interface PictureProps {
  readonly media: FormMedia;
  /** Which frame of a video, in seconds. */
  readonly time: number;
  /** Reports the size of the picture, or that the browser cannot show it. */
  readonly onSize: (size: Size | "failed") => void;
  /** Reports the duration of a video, in seconds. */
  readonly onDuration: (seconds: number) => void;
}

const className = "pointer-events-none block max-h-[50vh] min-h-16 max-w-full";

/** An image, or a frame of a video. */
export function Picture({ media, time, onSize, onDuration }: PictureProps) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current) video.current.currentTime = time;
  }, [time]);
  if (media.kind === "video") {
    return (
      <video
        ref={video}
        src={media.url}
        muted
        playsInline
        tabIndex={-1}
        preload="auto"
        onLoadedMetadata={({ currentTarget: { duration, videoWidth, videoHeight } }) => {
          if (Number.isFinite(duration)) onDuration(duration);
          onSize(videoWidth > 0 ? { width: videoWidth, height: videoHeight } : "failed");
        }}
        onError={() => onSize("failed")}
        className={className}
      />
    );
  }
  return (
    <img
      src={media.url}
      alt=""
      draggable={false}
      onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
        onSize(width > 0 ? { width, height } : "failed")
      }
      onError={() => onSize("failed")}
      className={className}
    />
  );
}
