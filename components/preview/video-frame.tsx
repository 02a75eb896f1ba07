"use client";

import { type ComponentProps, useState } from "react";
import { cn } from "#components/class-names.ts";

interface VideoFrameProps extends ComponentProps<"video"> {
  /** The size of the video in pixels. Until they are known, the frame has 16:9. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
}

/**
 * A video with the browser's controls under the picture, where they cover nothing of it: browsers draw them at the
 * bottom of the element, which is higher than its picture.
 */
export function VideoFrame({ size: known, className, ...props }: VideoFrameProps) {
  const [size, setSize] = useState(known ?? { width: 16, height: 9 });
  const ratio = size.width / size.height;
  return (
    <div
      className={cn("relative mx-auto w-full overflow-hidden bg-black pb-18", className)}
      style={{ maxWidth: `calc(60vh * ${ratio})` }}
    >
      <div style={{ aspectRatio: ratio }} />
      <video
        controls
        playsInline
        onLoadedMetadata={({ currentTarget: { videoWidth: width, videoHeight: height } }) => {
          if (width > 0 && height > 0) setSize({ width, height });
        }}
        className="absolute inset-0 size-full object-contain object-top"
        {...props}
      />
    </div>
  );
}
