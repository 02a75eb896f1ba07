import { CloudUploadIcon } from "lucide-react";
import { describeFile } from "#components/preview/output-file.ts";
import type { SerializedOutput } from "#lib/jobs/view/job.ts";

/** Files that are only in the store that the request named. */
export function ExportedFiles({ outputs }: { readonly outputs: readonly SerializedOutput[] }) {
  return (
    <ul aria-label="Exported files" className="grid grid-cols-1 gap-3">
      {outputs.map(({ content_type: contentType, exported, ...file }) => (
        <li key={file.url} className="flex min-w-0 items-start gap-3 rounded-lg border p-3">
          <CloudUploadIcon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-brand" />
          <span className="grid min-w-0 flex-1 gap-0.5">
            <span className="truncate font-medium" title={file.filename}>
              {file.filename}
            </span>
            <span className="text-sm text-muted-foreground">
              {describeFile({ ...file, contentType })}
            </span>
            {exported && (
              <span className="text-sm break-all text-muted-foreground">
                Sent to{" "}
                <span className="font-mono text-xs">
                  {exported.url ?? `${exported.connection}:${exported.path}`}
                </span>
                . It was not kept here.
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
