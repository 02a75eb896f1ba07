import Link from "next/link";
import type { ReactNode } from "react";
import { groupSummaries, groupTitles } from "#components/docs/titles.ts";
import { formatDuration } from "#components/format.ts";
import { SampleView } from "#components/samples/sample-view.tsx";
import { findSample, sampleUrl } from "#components/samples/samples.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import { type OperationGroup, operationGroups } from "#lib/operations/define.ts";
import { BeforeAfter } from "./before-after.tsx";

/** The operation of each group whose sample is shown. */
const showcaseOperations: Readonly<Record<OperationGroup, string>> = {
  document: "document/html-to-pdf",
  image: "image/sharpen",
  video: "video/overlay-text",
  audio: "audio/normalize",
  pipeline: "pipeline/strip-metadata",
};

/** Groups of operations, with sample files that the service produced. */
export function Showcase() {
  return (
    <section aria-labelledby="showcase" className="mt-24">
      <h2 id="showcase" className="text-2xl font-semibold tracking-tight">
        Samples
      </h2>
      <p className="mt-2 text-muted-foreground">
        Every output below was produced by this service. The page of each operation shows the
        request.
      </p>
      <div className="mt-8 grid gap-14">
        {operationGroups.map((group) => (
          <Group key={group} group={group} />
        ))}
      </div>
    </section>
  );
}

function Group({ group }: { group: OperationGroup }) {
  const count = operations.filter((operation) => operation.group === group).length;
  return (
    <section
      aria-labelledby={`group-${group}`}
      className="grid gap-x-10 gap-y-5 lg:grid-cols-[16rem_minmax(0,1fr)]"
    >
      <div>
        <h3 id={`group-${group}`} className="text-lg font-semibold">
          {groupTitles[group]}
        </h3>
        <p className="mt-1 text-sm text-muted-foreground">{groupSummaries[group]}</p>
        <Link
          href={`/docs/${group}`}
          prefetch={false}
          className="mt-3 inline-block text-sm text-brand underline underline-offset-4"
        >
          {count === 1 ? "1 operation" : `${count} operations`}
          <span className="sr-only">: {groupTitles[group]}</span>
        </Link>
      </div>
      <div className="min-w-0">
        <GroupSample group={group} />
      </div>
    </section>
  );
}

function GroupSample({ group }: { group: OperationGroup }): ReactNode {
  const sample = findSample(showcaseOperations[group]);
  const [output] = sample?.outputs ?? [];
  const [input] = sample?.inputs ?? [];
  if (!sample || !output) return null;
  if (group === "image" && input) {
    return (
      <BeforeAfter
        before={{ file: input, label: "Original" }}
        after={{ file: output, label: `Sharpened in ${formatDuration(sample.took_ms)}` }}
      />
    );
  }
  if (group === "document") return <DocumentSamples />;
  return <SampleView sample={sample} />;
}

/** Conversions to PDF, of which the first page is shown. */
const shownDocuments = ["document/html-to-pdf", "document/doc-to-pdf"];

/** The top of the first page of document samples. */
function DocumentSamples() {
  const samples = shownDocuments.flatMap((id) => findSample(id) ?? []);
  return (
    <div className="grid gap-4 md:grid-cols-2">
      {samples.map(({ operation, inputs: [input], outputs: [output], took_ms: tookMs }) => (
        <figure key={operation} className="overflow-hidden rounded-lg border bg-card">
          <div className="h-64 overflow-hidden bg-secondary px-6 pt-6 sm:h-72">
            {output?.poster && (
              <img
                src={sampleUrl(output.poster)}
                alt={`First page of ${basename(output.file)}`}
                loading="lazy"
                className="mx-auto w-full max-w-sm rounded-t-sm border-x border-t"
              />
            )}
          </div>
          <figcaption className="flex justify-between gap-3 border-t px-3 py-2 text-xs text-muted-foreground">
            <span className="font-mono">{basename(input?.file ?? "")}</span>
            <span>PDF in {formatDuration(tookMs)}</span>
          </figcaption>
        </figure>
      ))}
    </div>
  );
}

function basename(file: string): string {
  return file.split("/").pop() ?? file;
}
