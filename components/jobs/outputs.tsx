"use client";

import { DownloadIcon } from "lucide-react";
import { formatBytes, formatDuration } from "#components/format.ts";
import { Compare } from "#components/preview/compare.tsx";
import { JsonTree } from "#components/preview/json-tree.tsx";
import type { PreviewFile } from "#components/preview/preview-file.ts";
import { Button } from "#components/ui/button.tsx";
import type { JobDetails, JobInputFile } from "#lib/jobs/view/details.ts";
import type { SerializedOutput } from "#lib/jobs/view/job.ts";

/** A job's results: its data as a tree, and each output file compared with the input. */
export function Outputs({ details }: { details: JobDetails }) {
  const { job, inputs } = details;
  const input = toPreview(inputs.find(({ part }) => part === "file"));
  return (
    <div className="grid gap-8">
      {job.result && <JsonTree value={job.result} label="Result" />}
      {job.outputs.map((output) => (
        <Output
          key={output.url}
          output={output}
          input={input}
          // The JSON output has the same content as the result.
          isResult={job.result !== null && output.content_type === "application/json"}
        />
      ))}
      {job.outputs.length > 1 && (
        <Button asChild variant="outline" className="w-fit">
          <a href={`/dashboard/jobs/${job.id}/archive`} download>
            <DownloadIcon aria-hidden="true" />
            Download all (ZIP)
          </a>
        </Button>
      )}
    </div>
  );
}

interface OutputProps {
  readonly output: SerializedOutput;
  readonly input: PreviewFile | undefined;
  readonly isResult: boolean;
}

function Output({ output, input, isResult }: OutputProps) {
  const { content_type: contentType, expires_at: _expires, ...rest } = output;
  const file: PreviewFile = { ...rest, contentType };
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="truncate font-medium" title={file.filename}>
            {file.filename}
          </p>
          <p className="text-sm text-muted-foreground">{describeFile(file)}</p>
        </div>
        <Button asChild variant="outline" size="sm">
          <a href={file.url} download={file.filename}>
            <DownloadIcon aria-hidden="true" />
            Download
          </a>
        </Button>
      </div>
      {!isResult && <Compare input={input} output={file} />}
    </div>
  );
}

/** `image/png, 12 kB, 640 × 480`. */
function describeFile({ contentType, bytes, width, height, duration, pages }: PreviewFile): string {
  const facts = [contentType, formatBytes(bytes)];
  if (width && height) facts.push(`${width} × ${height}`);
  if (duration !== undefined) facts.push(formatDuration(duration * 1000));
  if (pages !== undefined) facts.push(`${pages} ${pages === 1 ? "page" : "pages"}`);
  return facts.join(", ");
}

/** The input as a file to preview; undefined if it is no longer stored. */
function toPreview(input: JobInputFile | undefined): PreviewFile | undefined {
  if (!input?.url) return undefined;
  const { filename, contentType, bytes, url } = input;
  return {
    filename: filename ?? "input",
    contentType: contentType ?? "application/octet-stream",
    bytes: bytes ?? 0,
    url,
  };
}
