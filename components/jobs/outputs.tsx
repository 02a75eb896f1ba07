"use client";

import { DownloadIcon } from "lucide-react";
import { useState } from "react";
import { formatBytes } from "#components/format.ts";
import { Compare } from "#components/preview/compare.tsx";
import { JsonTree } from "#components/preview/json/json-tree.tsx";
import { describeFile, toPreviewFile } from "#components/preview/output-file.ts";
import type { PreviewFile } from "#components/preview/preview-file.ts";
import { Button } from "#components/ui/button.tsx";
import { inputIndexOf } from "#lib/jobs/sources.ts";
import type { JobDetails, JobInputFile } from "#lib/jobs/view/details.ts";
import { ExportedFiles } from "./exported-files.tsx";
import { jobsPath } from "./follow/use-job-details.ts";
import { OutputGrid } from "./output-grid.tsx";

interface OutputsProps {
  readonly details: JobDetails;
  /** Where the archives of jobs are. */
  readonly path?: string;
}

/** A job's results: its data, and its output files, of which one is compared with the input. */
export function Outputs({ details, path = jobsPath }: OutputsProps) {
  const { job, inputs } = details;
  const [chosen, setChosen] = useState(0);
  const files = details.isExported ? [] : job.outputs.map(toPreviewFile);
  const file = files[chosen] ?? files[0];
  const mainInputs = inputs.filter(({ part }) => inputIndexOf(part) !== undefined);
  const input = mainInputs.length === 1 ? toPreview(mainInputs[0]) : undefined;
  const isComparable = files.length === 1 || input?.contentType.startsWith("image/");
  return (
    <div className="grid grid-cols-1 gap-8">
      {job.result && <JsonTree value={job.result} label="Result" />}
      {details.isExported && <ExportedFiles outputs={job.outputs} />}
      {files.length > 1 && (
        <div className="grid gap-3">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p className="text-sm text-muted-foreground">
              {files.length} files, {formatBytes(files.reduce((sum, { bytes }) => sum + bytes, 0))}
            </p>
            <Button asChild variant="outline" size="sm">
              <a href={`${path}/${job.id}/archive`} download>
                <DownloadIcon aria-hidden="true" />
                Download all (ZIP)
              </a>
            </Button>
          </div>
          <OutputGrid files={files} chosen={chosen} onChoose={setChosen} />
        </div>
      )}
      {file && (
        <Output
          key={file.url}
          file={file}
          input={isComparable ? input : undefined}
          // The JSON output has the same content as the result.
          isResult={job.result !== null && file.contentType === "application/json"}
        />
      )}
    </div>
  );
}

interface OutputProps {
  readonly file: PreviewFile;
  readonly input: PreviewFile | undefined;
  readonly isResult: boolean;
}

function Output({ file, input, isResult }: OutputProps) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
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
