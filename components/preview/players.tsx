"use client";

import { useState } from "react";
import type { PreviewFile } from "./kind.ts";
import { Unplayable } from "./unplayable.tsx";
import { usePeaks } from "./use-peaks.ts";
import { WaveForm } from "./wave-form.tsx";

/** A film with the browser's own controls; what it cannot play is said to be so. */
export function VideoPlayer({ file }: { file: PreviewFile }) {
  const [failed, setFailed] = useState(false);
  if (failed) return <Unplayable file={file} />;
  return (
    // biome-ignore lint/a11y/useMediaCaption: the film is the user's, and has the captions that it has.
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

/** A sound with its wave form and the browser's own controls. */
export function AudioPlayer({ file }: { file: PreviewFile }) {
  const [failed, setFailed] = useState(false);
  const peaks = usePeaks(file.url, file.bytes);
  if (failed) return <Unplayable file={file} />;
  return (
    <div className="grid gap-3 rounded-lg border bg-background p-4">
      <WaveForm peaks={peaks ?? []} />
      {/* biome-ignore lint/a11y/useMediaCaption: the sound is the user's. */}
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
