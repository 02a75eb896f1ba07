import type { PreviewFile } from "./kind.ts";

/** Says that the file is there though this browser does not know its format. */
export function Unplayable({ file }: { file: PreviewFile }) {
  return (
    <p className="rounded-lg border border-dashed p-6 text-center text-sm text-muted-foreground">
      This browser cannot show {file.contentType}. Download the file to open it elsewhere.
    </p>
  );
}
