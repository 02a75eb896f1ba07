"use client";

import { useState } from "react";
import type { PreviewFile } from "./preview-file.ts";
import { UnsupportedFormat } from "./unsupported-format.tsx";
import { usePeaks } from "./use-peaks.ts";
import { Waveform } from "./waveform.tsx";

/** A video with the browser's controls, or a message if the browser cannot play it. */
export function VideoPlayer({ file }: { file: PreviewFile }) {
  const [failed, setFailed] = useState(false);
  if (failed) return <UnsupportedFormat file={file} />;
  return (
    // biome-ignore lint/a11y/useMediaCaption: the video is a user's file.
    <video
      src={file.url}
      controls
      playsInline
      preload="metadata"
      aria-label={file.filename}
      onError={() => setFailed(true)}
      style={file.width && file.height ? { aspectRatio: `${file.width} / ${file.height}` } : {}}
      className="max-h-[60vh] w-full rounded-lg border bg-black"
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
