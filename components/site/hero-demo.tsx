import { CodeBlock } from "#components/code/code-block.tsx";
import { CodeTabs } from "#components/code/code-tabs.tsx";
import { requestSnippets } from "#components/code/snippets.ts";
import { formatBytes, formatDuration } from "#components/format.ts";
import { Waveform } from "#components/preview/waveform.tsx";
import { SampleImage } from "#components/samples/sample-image.tsx";
import { findSample, type Sample, sampleUrl } from "#components/samples/samples.ts";
import { Badge } from "#components/ui/badge.tsx";
import { findOperation } from "#lib/operations/catalogue/index.ts";

/** One operation for each kind of file. */
const demoOperations = [
  "document/html-to-pdf",
  "image/watermark-text",
  "video/overlay-text",
  "audio/normalize",
] as const;

/** Requests with the files they produced. `baseUrl` is the service's URL, without a trailing slash. */
export function HeroDemo({ baseUrl }: { baseUrl: string }) {
  const blocks = demoOperations.flatMap((id) => {
    const operation = findOperation(id);
    const sample = findSample(id);
    if (!operation || !sample) return [];
    return [{ label: operation.title, code: <Demo sample={sample} baseUrl={baseUrl} /> }];
  });
  return <CodeTabs label="Examples" blocks={blocks} />;
}

function Demo({ sample, baseUrl }: { sample: Sample; baseUrl: string }) {
  const [output] = sample.outputs;
  if (!output) return null;
  const { curl } = requestSnippets({
    operation: sample.operation,
    params: sample.params,
    input: { file: basename(sample.inputs[0]?.file ?? "") },
    baseUrl,
  });
  return (
    <figure className="overflow-hidden rounded-xl border bg-card">
      <CodeBlock code={curl} language="bash" isPublic className="rounded-none border-0" />
      <figcaption className="relative flex flex-wrap items-center gap-x-3 gap-y-1 border-y px-4 py-2.5 text-xs text-muted-foreground">
        <Badge variant="success">Completed</Badge>
        <span className="tabular-nums">in {formatDuration(sample.took_ms)}</span>
        <a
          href={sampleUrl(output.file)}
          className="ml-auto font-mono text-foreground underline-offset-4 hover:underline"
        >
          {basename(output.file)} · {formatBytes(output.bytes)}
        </a>
      </figcaption>
      <div className="h-56 bg-secondary sm:h-72">
        <Output sample={sample} />
      </div>
    </figure>
  );
}

function Output({ sample: { inputs, outputs } }: { sample: Sample }) {
  const [input] = inputs;
  const [output] = outputs;
  if (!output) return null;
  const url = sampleUrl(output.file);
  const name = basename(output.file);
  if (name.endsWith(".mp4")) {
    return (
      <video
        controls
        muted
        loop
        playsInline
        preload="none"
        poster={sampleUrl(output.poster ?? "")}
        src={url}
        aria-label={`Video ${name}`}
        className="size-full object-cover"
      />
    );
  }
  if (output.peaks && input?.peaks) {
    return (
      <div className="grid h-full content-center gap-3 px-5">
        <p className="text-xs text-muted-foreground">Before</p>
        <Waveform peaks={input.peaks} muted />
        <p className="text-xs text-muted-foreground">After</p>
        <Waveform peaks={output.peaks} />
      </div>
    );
  }
  if (output.poster) {
    return (
      <img
        src={sampleUrl(output.poster)}
        alt={`First page of ${name}`}
        className="mx-auto mt-4 h-[calc(100%-1rem)] w-[min(80%,26rem)] rounded-t-sm border-x border-t object-cover object-top"
      />
    );
  }
  return (
    <SampleImage
      file={output}
      alt={`File ${name}`}
      className="size-full object-cover object-bottom"
    />
  );
}

function basename(file: string): string {
  return file.split("/").pop() ?? file;
}
