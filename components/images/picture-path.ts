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

/** Characters that would end the source, or that browsers change in a path. */
function encodeSource(source: string): string {
  return source.replaceAll(/[%@?#\s]/g, (character) => encodeURIComponent(character));
}
