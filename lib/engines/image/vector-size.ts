/** The least width or height of a drawing, in pixels. */
export interface VectorSize {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** The most pixels that it is enlarged to, if they are fewer than the limit. */
  readonly mostPixels?: number | undefined;
}
