"use client";

import { ChevronDownIcon, DownloadIcon, FileIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { cn } from "#components/class-names.ts";
import { formatDuration } from "#components/format.ts";
import { FilePreview } from "#components/preview/file-preview.tsx";
import { describeFile, toPreviewFile } from "#components/preview/output-file.ts";
import { PictureOrIcon } from "#components/preview/picture-or-icon.tsx";
import type { PreviewFile } from "#components/preview/preview-file.ts";
import { Button } from "#components/ui/button.tsx";
import { InlineCode } from "#components/ui/inline-code.tsx";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import type { JobStep } from "#lib/jobs/view/steps.ts";

interface ChainStepsProps {
  readonly details: Pick<JobDetails, "job" | "steps">;
  /** Shown if the files between the operations are not stored: how to get them. */
  readonly keepSteps?: ReactNode;
}

/**
 * The operations of a chain, each with its time and the file that it handed to the next one. The output
 * of the last one is the job's.
 */
export function ChainSteps({ details, keepSteps }: ChainStepsProps) {
  const { job, steps } = details;
  const total = steps.reduce((sum, { duration_ms }) => sum + (duration_ms ?? 0), 0);
  const isKept = steps.some(({ output }) => output !== null);
  return (
    <div className="grid grid-cols-1 gap-4">
      <ol aria-label="Operations" className="grid grid-cols-1 gap-2">
        {steps.map(({ type, params, status, duration_ms: ms, output }, index) => (
          <ChainStep
            // biome-ignore lint/suspicious/noArrayIndexKey: the operations of a job never change
            key={index}
            number={index + 1}
            type={type}
            params={params}
            status={status}
            ms={ms}
            share={total > 0 ? (ms ?? 0) / total : 0}
            output={output && toPreviewFile(output)}
            isLast={index === steps.length - 1}
          />
        ))}
      </ol>
      {job.status === "completed" && !isKept && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="text-sm text-muted-foreground">
            <InlineCode text="The files between the operations are not stored. To see them, run the chain with `keep_steps`." />
          </p>
          {keepSteps}
        </div>
      )}
    </div>
  );
}

interface ChainStepProps {
  readonly number: number;
  readonly type: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly status: JobStep["status"];
  /** The duration in milliseconds; null until the job is completed, and if it was not measured. */
  readonly ms: number | null;
  /** The share of the time of all operations, from 0 to 1. */
  readonly share: number;
  readonly output: PreviewFile | null;
  readonly isLast: boolean;
}

function ChainStep({ number, type, params, status, ms, share, output, isLast }: ChainStepProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="grid min-w-0 grid-cols-1 gap-3 rounded-lg border p-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="flex min-w-0 basis-full items-center gap-3 sm:flex-1 sm:basis-0">
          {output ? (
            <Thumbnail file={output} />
          ) : (
            <span className="grid size-10 shrink-0 place-items-center rounded-md bg-secondary text-sm text-muted-foreground tabular-nums">
              {number}
            </span>
          )}
          <span className="grid min-w-0 flex-1">
            <span className="truncate text-sm font-medium">
              {output && `${number}. `}
              {type}
            </span>
            <span className="text-xs break-words text-muted-foreground">{showValues(params)}</span>
            <span className="truncate text-xs text-muted-foreground empty:hidden">
              {output ? describeFile(output) : isLast && ms !== null ? "The output of the job" : ""}
            </span>
          </span>
        </span>
        <span className="mr-auto flex items-center gap-2 text-sm text-muted-foreground tabular-nums sm:mr-0">
          <StepStatus status={status} />
          {ms !== null && (
            <>
              <span
                aria-hidden="true"
                className="h-1.5 w-20 overflow-hidden rounded-full bg-secondary forced-colors:border"
              >
                <span
                  className="block h-full min-w-0.5 bg-brand forced-color-adjust-none"
                  style={{ width: `${100 * share}%` }}
                />
              </span>
              <span>{formatDuration(ms)}</span>
            </>
          )}
        </span>
        {output && (
          <span className="flex items-center gap-2">
            <Button asChild variant="ghost" size="icon">
              <a
                href={output.url}
                download={output.filename}
                aria-label={`Download the output of operation ${number}`}
              >
                <DownloadIcon aria-hidden="true" />
              </a>
            </Button>
            <Button
              variant="outline"
              size="sm"
              aria-expanded={isOpen}
              aria-label={`${isOpen ? "Hide" : "Show"} the output of operation ${number}`}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? "Hide" : "Show"}
              <ChevronDownIcon aria-hidden="true" className={cn(isOpen && "rotate-180")} />
            </Button>
          </span>
        )}
      </div>
      {output && isOpen && <FilePreview file={output} />}
    </li>
  );
}

/** The values of parameters that are longer are shortened. */
const maxValueLength = 60;

/** Parameters in one line: "width 300, fit inside". */
function showValues(params: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(params).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${name} ${text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text}`;
  });
  return shown.join(", ");
}

/** What the status of a step is called, and how its name looks. */
const statusNames: Readonly<Record<JobStep["status"], readonly [name: string, look: string]>> = {
  not_started: ["Not started", ""],
  running: ["Running", "font-medium text-foreground"],
  completed: ["Done", ""],
  failed: ["Failed", "font-medium text-destructive"],
  cancelled: ["Cancelled", ""],
};

function StepStatus({ status }: { status: JobStep["status"] }) {
  const [name, look] = statusNames[status];
  return <span className={look}>{name}</span>;
}

function Thumbnail({ file }: { file: PreviewFile }) {
  return (
    <span className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-md bg-secondary text-muted-foreground">
      <PictureOrIcon
        file={file}
        icon={<FileIcon aria-hidden="true" className="size-5" strokeWidth={1.5} />}
        isCropped
      />
    </span>
  );
}
