/** An element with previews, such as `xmp:Thumbnails`. */
const thumbnails = /<([\w.-]+:Thumbnails)\b/g;

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
  for (const { index, 1: name } of text.matchAll(thumbnails)) {
    const close = `</${name}>`;
    const end = text.indexOf(close, index);
    // An empty element.
    if (end < 0) break;
    cleaned.fill(" ", index, end + close.length);
  }
  for (const { index, 0: value } of text.matchAll(encodedImage)) {
    cleaned.fill(" ", index, index + value.length);
  }
  return cleaned.equals(xmp) ? undefined : cleaned;
}
