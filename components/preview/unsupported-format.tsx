import type { PreviewFile } from "./preview-file.ts";

/** The message that is shown if the browser does not support a file's format. */
export function UnsupportedFormat({ file }: { file: PreviewFile }) {
  return (
    <p className="rounded-lg border border-dashed p-6 text-center text-sm text-muted-foreground">
      This browser cannot show {file.contentType}. Download the file to view it.
    </p>
  );
}
