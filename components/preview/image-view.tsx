"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { cn } from "#components/class-names.ts";
import type { PreviewFile } from "./kind.ts";
import { Unplayable } from "./unplayable.tsx";
import { ZoomFrame } from "./zoom-frame.tsx";

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** An image that can be looked at from near. */
export function ImageView({ file }: { file: PreviewFile }) {
  const [size, setSize] = useState<Size | "unknown" | "failed">(sizeOf(file) ?? "unknown");
  if (size === "failed") return <Unplayable file={file} />;
  return (
    <ZoomFrame size={size === "unknown" ? undefined : size} label={file.filename}>
      <Picture
        file={file}
        alt={file.filename}
        onSize={setSize}
        onFail={() => setSize("failed")}
        className={size === "unknown" ? "max-h-[60vh] max-w-full" : "size-full object-contain"}
      />
    </ZoomFrame>
  );
}

/** The size that is known of an image before it has arrived. */
export function sizeOf({ width, height }: PreviewFile): Size | undefined {
  return width && height ? { width, height } : undefined;
}

interface PictureProps {
  readonly file: PreviewFile;
  readonly alt: string;
  readonly onSize?: (size: Size) => void;
  readonly onFail?: () => void;
  readonly className?: string;
}

/** The bare image; tells its size, also where it arrived before the page woke. */
export function Picture({ file, alt, onSize, onFail, className }: PictureProps) {
  const image = useRef<HTMLImageElement>(null);
  const tell = () => {
    if (!image.current?.complete) return;
    const { naturalWidth: width, naturalHeight: height } = image.current;
    if (width === 0) onFail?.();
    else onSize?.({ width, height });
  };
  const tellEarly = useEffectEvent(tell);
  useEffect(() => tellEarly(), []);
  return (
    <img
      ref={image}
      src={file.url}
      alt={alt}
      draggable={false}
      onLoad={tell}
      onError={onFail}
      className={cn("block", className)}
    />
  );
}
