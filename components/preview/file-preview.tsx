"use client";

import { FileIcon } from "lucide-react";
import dynamic from "next/dynamic";
import { NotLoaded } from "#components/ui/loading/lazy-part.tsx";
import { loadOr } from "#components/ui/loading/load-or.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { ImageView } from "./image-view.tsx";
import { AudioPlayer, VideoPlayer } from "./players.tsx";
import { type PreviewFile, previewKind } from "./preview-file.ts";
import { TextView } from "./text-view.tsx";
import { ZipView } from "./zip-view.tsx";

/** pdf.js is larger than the whole page, so it is loaded only for PDFs. */
const PdfView = dynamic(
  () => loadOr(() => import("./pdf-view.tsx").then((module) => module.PdfView), NotLoaded),
  { loading: () => <Skeleton className="h-[60vh] w-full" />, ssr: false },
);

/** A preview of a file, if the browser can show its type. */
export function FilePreview({ file }: { file: PreviewFile }) {
  switch (previewKind(file)) {
    case "image":
      return <ImageView file={file} />;
    case "video":
      return <VideoPlayer file={file} />;
    case "audio":
      return <AudioPlayer file={file} />;
    case "pdf":
      return <PdfView file={file} />;
    case "text":
      return <TextView file={file} />;
    case "zip":
      return <ZipView file={file} />;
    case "none":
      return <NoPreview>No preview for this file type</NoPreview>;
  }
}

/** The text that is shown instead of a file that cannot be previewed. */
export function NoPreview({ children }: { children: string }) {
  return (
    <div className="grid min-h-40 place-content-center justify-items-center gap-2 rounded-lg border border-dashed p-6 text-center text-sm text-muted-foreground">
      <FileIcon aria-hidden="true" className="size-6" strokeWidth={1.5} />
      {children}
    </div>
  );
}
