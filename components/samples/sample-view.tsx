import type { ReactNode } from "react";
import { CodeBlock } from "#components/code/code-block.tsx";
import { formatBytes, formatDuration } from "#components/format.ts";
import { Waveform } from "#components/preview/waveform.tsx";
import { type Sample, type SampleOutput, sampleUrl } from "./samples.ts";
import { TagList } from "./tag-list.tsx";

type SampleFile = Omit<SampleOutput, "content_type">;

/** The input and the output of a sample side by side, with their names and sizes. */
export function SampleView({ sample }: { sample: Sample }) {
  const [output] = sample.outputs;
  if (!output) return null;
  return (
    <div className="grid gap-4 md:grid-cols-2">
      {sample.inputs.map((input) => (
        <SampleFigure key={input.file} label="Input" file={input}>
          <SampleMedia file={input} />
        </SampleFigure>
      ))}
      <SampleFigure label={`Output, made in ${formatDuration(sample.took_ms)}`} file={output}>
        <SampleMedia file={output} result={sample.result} />
      </SampleFigure>
    </div>
  );
}

interface SampleFigureProps {
  readonly label: string;
  readonly file: SampleFile;
  readonly children: ReactNode;
}

function SampleFigure({ label, file, children }: SampleFigureProps) {
  return (
    <figure className="flex min-w-0 flex-col overflow-hidden rounded-lg border bg-card">
      <div className="grid min-h-40 grow grid-cols-[minmax(0,1fr)] place-items-center bg-secondary">
        {children}
      </div>
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3 border-t px-3 py-2 text-xs text-muted-foreground">
        {label}
        <a
          href={sampleUrl(file.file)}
          className="font-mono text-foreground underline-offset-4 hover:underline"
        >
          {file.file.split("/").pop()} · {formatBytes(file.bytes)}
        </a>
      </figcaption>
    </figure>
  );
}

interface SampleMediaProps {
  readonly file: SampleFile;
  /** Shown in place of a JSON file. */
  readonly result?: unknown;
}

/** A preview of a file: an image, a player, a page, a waveform, its tags or its data. */
export function SampleMedia({ file, result }: SampleMediaProps) {
  const url = sampleUrl(file.file);
  const name = file.file.split("/").pop() ?? "";
  if (file.tags) return <TagList tags={file.tags} />;
  if (/\.(jpg|png|webp)$/.test(name))
    return (
      <img
        src={url}
        alt={`File ${name}`}
        loading="lazy"
        className="aspect-3/2 w-full object-cover"
      />
    );
  if (name.endsWith(".mp4")) {
    return (
      <video
        controls
        muted
        loop
        playsInline
        preload="none"
        {...(file.poster ? { poster: sampleUrl(file.poster) } : {})}
        src={url}
        aria-label={`Video ${name}`}
        className="aspect-video w-full"
      />
    );
  }
  if (file.peaks) {
    return (
      <div className="grid w-full gap-3 p-4">
        <Waveform peaks={file.peaks} />
        {/* biome-ignore lint/a11y/useMediaCaption: the audio is music without words. */}
        <audio controls preload="none" src={url} aria-label={`Audio ${name}`} className="w-full" />
      </div>
    );
  }
  if (file.poster) {
    return (
      <img
        src={sampleUrl(file.poster)}
        alt={`First page of ${name}`}
        loading="lazy"
        className="max-h-112 w-auto border-x"
      />
    );
  }
  if (name.endsWith(".json"))
    return <CodeBlock code={shorten(result)} language="json" className="w-full border-0" />;
  return (
    <a href={url} className="p-8 font-mono text-sm text-brand underline underline-offset-4">
      {name}
    </a>
  );
}

const maxLines = 22;

function shorten(result: unknown): string {
  const lines = JSON.stringify(result, null, 2).split("\n");
  return lines.length > maxLines
    ? [...lines.slice(0, maxLines), "  …"].join("\n")
    : lines.join("\n");
}
