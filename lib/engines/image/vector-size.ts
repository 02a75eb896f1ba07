/** The least width or height of a drawing, in pixels. */
export interface VectorSize {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}
