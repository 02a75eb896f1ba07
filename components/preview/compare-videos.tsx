"use client";

import { PauseIcon, PlayIcon } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";

/** Videos whose times differ by more, in seconds, are brought together. */
const maxDrift = 0.15;

/** Two videos next to each other that one button plays in step. The sound is that of the first one. */
export function CompareVideos({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const [isPlaying, setPlaying] = useState(false);

  useEffect(() => {
    const { current } = frame;
    if (!isPlaying || !current) return;
    const listening = new AbortController();
    // Events of players do not bubble.
    const options = { signal: listening.signal, capture: true };
    current.addEventListener(
      "seeking",
      ({ target }) => {
        if (!(target instanceof HTMLVideoElement)) return;
        for (const other of videosIn(current)) {
          const isApart = Math.abs(other.currentTime - target.currentTime) > maxDrift;
          if (other !== target && isApart) other.currentTime = target.currentTime;
        }
      },
      options,
    );
    current.addEventListener(
      "pause",
      ({ target }) => {
        // A shorter video ends before the other one.
        if (target instanceof HTMLVideoElement && target.ended) {
          if (videosIn(current).every(({ ended }) => ended)) setPlaying(false);
          return;
        }
        for (const video of videosIn(current)) video.pause();
        setPlaying(false);
      },
      options,
    );
    return () => listening.abort();
  }, [isPlaying]);

  async function toggle() {
    const [first, ...others] = videosIn(frame.current);
    if (!first) return;
    if (isPlaying) return first.pause();
    const isAtEnd = first.ended || first.dataset.poster !== undefined;
    for (const video of [first, ...others]) {
      delete video.dataset.poster;
      video.currentTime = isAtEnd ? 0 : first.currentTime;
    }
    for (const video of others) video.muted = true;
    setPlaying(true);
    await Promise.all([first, ...others].map((video) => video.play())).catch(() => {
      setPlaying(false);
    });
  }

  return (
    <div ref={frame} className="grid gap-3">
      <div className="grid items-start gap-6 xl:grid-cols-2">{children}</div>
      <Button variant="outline" size="sm" className="w-fit" onClick={toggle}>
        {isPlaying ? <PauseIcon aria-hidden="true" /> : <PlayIcon aria-hidden="true" />}
        {isPlaying ? "Pause both" : "Play both in step"}
      </Button>
    </div>
  );
}

function videosIn(element: HTMLElement | null): HTMLVideoElement[] {
  return [...(element?.querySelectorAll("video") ?? [])];
}
