"use client";

import { useState } from "react";
import type { PreviewFile } from "./preview-file.ts";
import { UnsupportedFormat } from "./unsupported-format.tsx";
import { usePeaks } from "./use-peaks.ts";
import { VideoFrame } from "./video-frame.tsx";
import { Waveform } from "./waveform.tsx";

/** A video with the browser's controls, or a message if the browser cannot play it. */
export function VideoPlayer({ file }: { file: PreviewFile }) {
  const [failed, setFailed] = useState(false);
  if (failed) return <UnsupportedFormat file={file} />;
  return (
    <VideoFrame
      src={file.url}
      preload="metadata"
      aria-label={file.filename}
      onError={() => setFailed(true)}
      size={file.width && file.height ? { width: file.width, height: file.height } : undefined}
      className="rounded-lg border"
    />
  );
}

/** Audio with its waveform and the browser's controls. */
export function AudioPlayer({ file }: { file: PreviewFile }) {
  const [failed, setFailed] = useState(false);
  const peaks = usePeaks(file.url, file.bytes);
  if (failed) return <UnsupportedFormat file={file} />;
  return (
    <div className="grid gap-3 rounded-lg border bg-background p-4">
      <Waveform peaks={peaks ?? []} />
      {/* biome-ignore lint/a11y/useMediaCaption: the audio is a user's file. */}
      <audio
        src={file.url}
        controls
        preload="metadata"
        aria-label={file.filename}
        onError={() => setFailed(true)}
        className="w-full"
      />
    </div>
  );
}
