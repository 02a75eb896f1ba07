import type { ComponentProps } from "react";
import { type SampleFile, sampleUrl } from "./samples.ts";

interface SampleImageProps extends Omit<ComponentProps<"img">, "src"> {
  readonly file: Pick<SampleFile, "file" | "preview">;
  readonly alt: string;
}

/** A picture of a sample: its small copy, or the file itself where AVIF is not supported. */
export function SampleImage({ file: { file, preview }, alt, ...props }: SampleImageProps) {
  const image = <img {...props} src={sampleUrl(file)} alt={alt} />;
  if (!preview) return image;
  return (
    <picture className="contents">
      <source srcSet={sampleUrl(preview)} type="image/avif" />
      {image}
    </picture>
  );
}
