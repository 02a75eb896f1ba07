"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { cn } from "#components/class-names.ts";
import { type PreviewFile, type Size, sizeOf } from "./preview-file.ts";
import { UnsupportedFormat } from "./unsupported-format.tsx";
import { ZoomFrame } from "./zoom-frame.tsx";

/** An image that can be zoomed. */
export function ImageView({ file }: { file: PreviewFile }) {
  const [size, setSize] = useState<Size | "unknown" | "failed">(sizeOf(file) ?? "unknown");
  if (size === "failed") return <UnsupportedFormat file={file} />;
  return (
    <ZoomFrame size={size === "unknown" ? undefined : size} label={file.filename}>
      <PreviewImage
        file={file}
        alt={file.filename}
        onSize={setSize}
        onFail={() => setSize("failed")}
        className={size === "unknown" ? "max-h-[60vh] max-w-full" : "size-full object-contain"}
      />
    </ZoomFrame>
  );
}

interface PreviewImageProps {
  readonly file: PreviewFile;
  readonly alt: string;
  readonly onSize?: (size: Size) => void;
  readonly onFail?: () => void;
  readonly className?: string;
}

/** An image without controls. Reports its size, also if it was loaded before hydration. */
export function PreviewImage({ file, alt, onSize, onFail, className }: PreviewImageProps) {
  const image = useRef<HTMLImageElement>(null);
  const reportSize = () => {
    if (!image.current?.complete) return;
    const { naturalWidth: width, naturalHeight: height } = image.current;
    if (width === 0) onFail?.();
    else onSize?.({ width, height });
  };
  const onMount = useEffectEvent(reportSize);
  useEffect(() => onMount(), []);
  return (
    <img
      ref={image}
      src={file.url}
      alt={alt}
      draggable={false}
      onLoad={reportSize}
      onError={onFail}
      className={cn("block", className)}
    />
  );
}
