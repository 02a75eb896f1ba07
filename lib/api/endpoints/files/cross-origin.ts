/** Headers of files that pages of any origin may read; they are documented as `crossOriginHeaderNames`. */
export const crossOriginHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag",
  "Cross-Origin-Resource-Policy": "cross-origin",
};
