"use client";

import { type ReactNode, useState } from "react";
import { type PreviewFile, previewKind } from "./preview-file.ts";

interface PictureOrIconProps {
  /** The file; undefined if there is none yet. */
  readonly file: PreviewFile | undefined;
  /** What is shown for a file that is no picture, or that the browser cannot show. */
  readonly icon: ReactNode;
  readonly isCropped?: boolean;
}

/** A small picture of a file, without a name of its own: the name of the file stands next to it. */
export function PictureOrIcon({ file, icon, isCropped = false }: PictureOrIconProps) {
  const [isBroken, setBroken] = useState(false);
  if (!file || previewKind(file) !== "image" || isBroken) return icon;
  return (
    <img
      src={file.url}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setBroken(true)}
      className={isCropped ? "size-full object-cover" : "size-full object-contain"}
    />
  );
}
