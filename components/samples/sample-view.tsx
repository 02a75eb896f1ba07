import type { ReactNode } from "react";
import { cn } from "#components/class-names.ts";
import { formatBytes, formatDuration } from "#components/format.ts";
import { JsonTree } from "#components/preview/json/json-tree.tsx";
import { SampleMedia } from "./sample-media.tsx";
import { type Sample, type SampleFile, sampleUrl } from "./samples.ts";

/** More files of a sample are only counted. */
const maxShown = 6;

/** The inputs and the outputs of a sample with their names and sizes, and its result. */
export function SampleView({ sample }: { sample: Sample }) {
  const { inputs, outputs, result } = sample;
  const [output] = outputs;
  if (!output) return null;
  const madeIn = `made in ${formatDuration(sample.took_ms)}`;
  const isPair = inputs.length === 1 && outputs.length === 1;
  const isResult = outputs.length === 1 && output.file.endsWith(".json");
  return (
    <div className="grid gap-4">
      <div className={cn("grid gap-4", isPair ? "md:grid-cols-2" : "[&>figure]:max-w-lg")}>
        <Figures label={inputs.length === 1 ? "Input" : "Inputs"} files={inputs} />
        <Figures
          label={`${outputs.length === 1 ? "Output" : `${outputs.length} outputs`}, ${madeIn}`}
          files={outputs}
          result={isResult ? result : undefined}
        />
      </div>
      {!isResult && result !== null && (
        <JsonTree value={result} label="Result" className="max-h-80" />
      )}
    </div>
  );
}

interface FiguresProps {
  readonly label: string;
  readonly files: readonly SampleFile[];
  readonly result?: unknown;
}

/** One file, or several in a grid. */
function Figures({ label, files, result }: FiguresProps) {
  const [file] = files;
  if (!file) return null;
  if (files.length === 1) {
    return (
      <SampleFigure label={label} file={file}>
        <SampleMedia file={file} result={result} />
      </SampleFigure>
    );
  }
  return (
    <div className="grid gap-2">
      <p className="text-xs text-muted-foreground">{label}</p>
      <div className="grid gap-3 sm:grid-cols-2 md:grid-cols-3">
        {files.slice(0, maxShown).map((one, index) => (
          // A file may be an input twice.
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          <SampleFigure key={index} file={one}>
            <SampleMedia file={one} />
          </SampleFigure>
        ))}
      </div>
      {files.length > maxShown && (
        <p className="text-xs text-muted-foreground">and {files.length - maxShown} more</p>
      )}
    </div>
  );
}

interface SampleFigureProps {
  readonly label?: string;
  readonly file: SampleFile;
  readonly children: ReactNode;
}

function SampleFigure({ label, file, children }: SampleFigureProps) {
  return (
    <figure className="flex min-w-0 flex-col overflow-hidden rounded-lg border bg-card">
      <div className="grid min-h-32 grow grid-cols-[minmax(0,1fr)] place-items-center bg-secondary">
        {children}
      </div>
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3 border-t px-3 py-2 text-xs text-muted-foreground">
        {label}
        <a
          href={sampleUrl(file.file)}
          className="font-mono wrap-anywhere text-foreground underline-offset-4 hover:underline"
        >
          {file.file.split("/").pop()} · {formatBytes(file.bytes)}
        </a>
      </figcaption>
    </figure>
  );
}
