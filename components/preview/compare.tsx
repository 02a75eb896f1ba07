"use client";

import type { ReactNode } from "react";
import { CompareImages } from "./compare-images.tsx";
import { CompareVideos } from "./compare-videos.tsx";
import { FilePreview } from "./file-preview.tsx";
import { type PreviewFile, previewKind } from "./preview-file.ts";

interface CompareProps {
  /** The input file; undefined if it is no longer stored. */
  readonly input: PreviewFile | undefined;
  readonly output: PreviewFile;
}

/** An output next to its input. */
export function Compare({ input, output }: CompareProps) {
  if (!input || previewKind(input) === "none") return <FilePreview file={output} />;
  if (previewKind(input) === "image" && previewKind(output) === "image") {
    return <CompareImages before={input} after={output} />;
  }
  const sides = (
    <>
      <Side title="Output">
        <FilePreview file={output} />
      </Side>
      <Side title="Input">
        <FilePreview file={input} />
      </Side>
    </>
  );
  const areVideos = previewKind(input) === "video" && previewKind(output) === "video";
  if (areVideos) return <CompareVideos>{sides}</CompareVideos>;
  return <div className="grid items-start gap-6 xl:grid-cols-2">{sides}</div>;
}

function Side({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-2">
      <h3 className="text-xs font-medium text-muted-foreground">{title}</h3>
      {children}
    </div>
  );
}
