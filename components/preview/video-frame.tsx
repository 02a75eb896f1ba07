"use client";

import { type ComponentProps, useEffect, useEffectEvent, useRef, useState } from "react";
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
  const frame = useRef<HTMLDivElement>(null);
  function start(video: HTMLVideoElement) {
    const { videoWidth: width, videoHeight: height } = video;
    if (width > 0 && height > 0) setSize({ width, height });
    showPoster(video);
  }
  const startLoaded = useEffectEvent(() => {
    const video = frame.current?.querySelector("video");
    if (video && video.readyState >= HTMLMediaElement.HAVE_METADATA) start(video);
  });
  // A video that the server rendered may be loaded before the page listens.
  useEffect(() => startLoaded(), []);
  return (
    <div
      ref={frame}
      className={cn("relative mx-auto w-full overflow-hidden bg-black pb-18", className)}
      style={{ maxWidth: `calc(60vh * ${ratio})` }}
    >
      <div style={{ aspectRatio: ratio }} />
      <video
        controls
        playsInline
        onLoadedMetadata={({ currentTarget: video }) => start(video)}
        onPlay={({ currentTarget: video }) => {
          if (video.dataset.poster === undefined) return;
          delete video.dataset.poster;
          video.currentTime = 0;
        }}
        onSeeking={({ currentTarget: video }) => {
          if (Math.abs(video.currentTime - posterTime(video)) > 0.01) delete video.dataset.poster;
        }}
        className="absolute inset-0 size-full object-contain object-top"
        {...props}
      />
    </div>
  );
}

/** Many videos fade in from black: a frame after a tenth of the time shows more. */
const posterShare = 0.1;

function posterTime({ duration }: HTMLVideoElement): number {
  return Number.isFinite(duration) ? duration * posterShare : 0;
}

/** Shows a frame that says what the video is, until it is played from its start. */
function showPoster(video: HTMLVideoElement): void {
  // With a poster or a time of its own, the page has chosen what is shown.
  if (
    video.dataset.poster !== undefined ||
    video.poster !== "" ||
    video.autoplay ||
    video.currentTime > 0
  )
    return;
  video.dataset.poster = "";
  video.currentTime = posterTime(video);
}
