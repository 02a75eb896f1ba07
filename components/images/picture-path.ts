/** What the form of the URL builder has, as text. */
export interface PictureFields {
  readonly source: string;
  readonly resize: string;
  readonly width: string;
  readonly height: string;
  readonly gravity: string;
  readonly format: string;
  readonly quality: string;
  /** Further options, separated by slashes. */
  readonly more: string;
}

/** The path of a picture after its signature, in imgproxy's grammar. */
export function picturePath(fields: PictureFields): string {
  const { source, resize, width, height, gravity, format, quality, more } = fields;
  const options = [
    width || height ? `rs:${resize}:${width || 0}:${height || 0}` : "",
    gravity ? `g:${gravity}` : "",
    quality ? `q:${quality}` : "",
    ...more.split("/").map((option) => option.trim()),
  ].filter((option) => option !== "");
  const end = `plain/${encodeSource(source.trim())}${format ? `@${format}` : ""}`;
  return `/${[...options, end].join("/")}`;
}

/**
 * The source in a path that no browser changes: the signature is that of the path as it is sent. So all that a browser
 * would encode is encoded, and a URL has no `..` in its path.
 */
function encodeSource(source: string): string {
  const isUrl = /^https?:/i.test(source) && URL.canParse(source);
  return (isUrl ? new URL(source).href : source.toWellFormed()).replaceAll(
    /[^\x21-\x7e]|[%@?#"<>\\^`{|}]/gu,
    (character) => encodeURIComponent(character),
  );
}
