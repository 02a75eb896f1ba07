/** The start of an element with previews, such as `xmp:Thumbnails`, and its end. */
const opening = /<[\w.-]+:Thumbnails\b[^<>]*>/g;
const closing = /<\/[\w.-]+:Thumbnails\s*>/g;

/** The value of an attribute or element that is a JPEG, PNG, GIF, WebP or TIFF file in Base64. */
const encodedImage =
  /(?<=[>"']\s{0,16})(?:\/9j\/|iVBORw0KGgo|R0lGOD|UklGR|SUkqA|TU0AKg)[\w+/=\s&#;]*/g;

/**
 * XMP data without previews, which show the picture as it was. They become spaces, so that the length
 * stays. Undefined if there is no preview.
 */
export function eraseXmpPreviews(xmp: Buffer): Buffer | undefined {
  const cleaned = Buffer.from(xmp);
  const text = xmp.toString("latin1");
  const ends = [...text.matchAll(closing)].map(({ index, 0: tag }) => index + tag.length);
  let erased = 0;
  let next = 0;
  for (const { index, 0: tag } of text.matchAll(opening)) {
    if (index < erased || tag.endsWith("/>")) continue;
    while ((ends[next] ?? index) < index) next++;
    const end = ends[next];
    if (end === undefined) break;
    cleaned.fill(" ", index, end);
    erased = end;
  }
  for (const { index, 0: value } of text.matchAll(encodedImage)) {
    cleaned.fill(" ", index, index + value.length);
  }
  return cleaned.equals(xmp) ? undefined : cleaned;
}
