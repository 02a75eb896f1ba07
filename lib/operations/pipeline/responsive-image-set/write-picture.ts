import type { StillFormat } from "#lib/engines/image/encode.ts";

export interface SetImage {
  readonly filename: string;
  readonly format: StillFormat;
  /** The width in pixels. */
  readonly width: number;
  readonly height: number;
}

/** Formats as browsers should prefer them. The last one of a set is what all others fall back to. */
const preference: readonly StillFormat[] = ["avif", "webp", "png", "jpeg"];

/** Elements in the order of `preference`, each with a `srcset` of all widths. */
export function writePicture(images: readonly SetImage[]): string {
  const groups = preference.flatMap((format) => {
    const group = images.filter((image) => image.format === format);
    return group.length > 0 ? [{ format, group }] : [];
  });
  const fallback = groups.at(-1)?.group ?? [];
  const largest = fallback.at(-1);
  if (!largest) return "";
  // Shown in the width of the page, and not larger than the image.
  const sizes = `(max-width: ${largest.width}px) 100vw, ${largest.width}px`;
  const sources = groups.slice(0, -1).map(({ format, group }) => {
    return `  <source type="image/${format}" srcset="${writeSrcset(group)}" sizes="${sizes}">`;
  });
  // Browsers without srcset get one of the middle.
  const middle = fallback[Math.floor((fallback.length - 1) / 2)] ?? largest;
  const img = [
    `src="${toUrl(middle)}"`,
    `srcset="${writeSrcset(fallback)}"`,
    `sizes="${sizes}"`,
    `width="${largest.width}" height="${largest.height}"`,
    `alt="" loading="lazy" decoding="async"`,
  ];
  return ["<picture>", ...sources, `  <img ${img.join(" ")}>`, "</picture>"].join("\n");
}

function writeSrcset(images: readonly SetImage[]): string {
  return images.map((image) => `${toUrl(image)} ${image.width}w`).join(", ");
}

/** A relative URL, without characters that end an attribute or an item of `srcset`. */
function toUrl({ filename }: SetImage): string {
  return encodeURIComponent(filename).replaceAll("'", "%27");
}
