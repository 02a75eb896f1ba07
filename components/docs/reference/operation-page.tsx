import Link from "next/link";
import type { ReactNode } from "react";
import { NotSetUp } from "#components/catalogue/not-set-up.tsx";
import { CodeBlock } from "#components/code/code-block.tsx";
import { SnippetTabs } from "#components/code/snippet-tabs.tsx";
import { describeCount } from "#components/playground/form/form-field.ts";
import { SampleView } from "#components/samples/sample-view.tsx";
import { findSample } from "#components/samples/samples.ts";
import { PlaygroundLink } from "#components/sign-in/playground-link.tsx";
import { Badge } from "#components/ui/badge.tsx";
import type { UnavailableOperation } from "#lib/api/job-creation/unavailable-operations.ts";
import { env } from "#lib/env.ts";
import { describeTypes, type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { Operation } from "#lib/operations/define.ts";
import { AdjacentPages } from "../adjacent-pages.tsx";
import { DocsTitle } from "../guide-page.tsx";
import { groupTitles } from "../titles.ts";
import { exampleSnippets } from "./example.ts";
import { ParameterTable } from "./parameter-table.tsx";
import { ResultTable } from "./result-table.tsx";

interface OperationPageProps {
  readonly operation: Operation;
  /** Parameters that the link to the page names. The request has them. */
  readonly linked: Readonly<Record<string, string>>;
  /** Why this installation cannot run it. */
  readonly unavailable?: UnavailableOperation | undefined;
}

/** The reference page of one operation, made from the catalogue and its sample. */
export function OperationPage({ operation, linked, unavailable }: OperationPageProps) {
  const sample = findSample(operation.id);
  return (
    <article>
      <p className="mb-3 text-sm text-muted-foreground">
        <Link
          href={`/docs/${operation.group}`}
          className="underline-offset-4 hover:text-foreground hover:underline"
        >
          {groupTitles[operation.group]}
        </Link>
      </p>
      <DocsTitle title={operation.title} summary={operation.summary} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="font-mono text-sm">
          <Badge variant="brand">POST</Badge> /v1/{operation.id}
        </p>
        <PlaygroundLink operation={operation.id} params={linked} size="sm">
          Try it
        </PlaygroundLink>
      </div>
      {unavailable && <NotSetUp unavailable={unavailable} className="mt-6" />}
      {sample && (
        <Section title="What it does">
          <SampleView sample={sample} />
        </Section>
      )}
      <Section title="Request">
        <SnippetTabs
          snippets={exampleSnippets(operation, linked)}
          isPublic={Object.keys(linked).length === 0}
        />
      </Section>
      {sample && (
        <Section title="Response">
          <CodeBlock
            code={JSON.stringify(sample.job, null, 2).replaceAll("{{baseUrl}}", env.APP_URL)}
            language="json"
            title="200, the finished job"
            isPublic
            className="[&_pre]:max-h-96"
          />
          <p className="mt-3 text-sm text-muted-foreground">
            Without <code className="font-mono text-xs">Prefer: wait</code>, the response is{" "}
            <code className="font-mono text-xs">202</code> with the pending job, which has no
            outputs yet.
          </p>
        </Section>
      )}
      <Section title="Parameters">
        <ParameterTable operation={operation} />
        <p className="mt-3 text-sm text-muted-foreground">
          Every operation also accepts{" "}
          <Link href="/docs/webhooks" className="text-brand underline underline-offset-4">
            webhook_url
          </Link>{" "}
          and{" "}
          <Link href="/docs/jobs#add-metadata" className="text-brand underline underline-offset-4">
            metadata
          </Link>
          . An unknown parameter is an error.
        </p>
      </Section>
      <Section title="Accepts">
        <InputFiles operation={operation} />
        {Object.entries(operation.files ?? {}).map(([part, file]) => (
          <div key={part} className="mt-4">
            <p className="mb-2 text-sm">
              <code className="font-mono text-xs font-semibold">{part}</code>: {file.description}
            </p>
            <TypeList types={file.accepts} />
          </div>
        ))}
      </Section>
      <Section title="Output">
        <OutputText operation={operation} />
      </Section>
      {operation.result && (
        <Section title="Result">
          <p className="mb-3">
            A completed job has these fields in <code className="font-mono text-sm">result</code>.
          </p>
          <ResultTable result={operation.result} />
        </Section>
      )}
      <AdjacentPages href={`/docs/${operation.id}`} />
    </article>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = title.toLowerCase().replaceAll(" ", "-");
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="mb-4 text-xl font-semibold tracking-tight">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** How many files, in which fields, and of which types. */
function InputFiles({ operation }: { operation: Operation }) {
  const { inputs, accepts } = operation;
  if (inputs.max === 0) return <p>This operation takes no file.</p>;
  return (
    <>
      {inputs.max > 1 && (
        <p className="mb-3">
          {describeCount(inputs)} files, in order. In JSON, send{" "}
          <code className="font-mono text-sm">inputs</code>: a list of URLs and ids of uploads. In a
          form, repeat <code className="font-mono text-sm">file</code> for files and{" "}
          <code className="font-mono text-sm">input</code> for URLs.
        </p>
      )}
      <TypeList types={accepts} />
    </>
  );
}

function TypeList({ types }: { types: readonly MediaTypeId[] }) {
  return (
    <ul className="flex flex-wrap gap-1.5">
      {types.map((id) => (
        <li key={id}>
          <Badge title={mediaType(id).mime}>{mediaType(id).label}</Badge>
        </li>
      ))}
    </ul>
  );
}

/** The type of the output: what the operation produces from each type that it accepts. */
function OutputText({ operation }: { operation: Operation }) {
  const params = operation.params.parse(operation.example);
  const { accepts } = operation;
  const inputs: readonly MediaTypeId[] = accepts.length > 0 ? accepts : ["unknown"];
  const produced = inputs.map((type) => operation.produces(type, params));
  const isSame = produced.map((type, index) => type === inputs[index]);
  const others = [...new Set(produced.filter((_, index) => !isSame[index]))];
  const text = isSame.every(Boolean)
    ? "A file of the same format."
    : isSame.some(Boolean)
      ? `A file of the input’s format if possible, otherwise ${describeTypes(others)}.`
      : `With the parameters of the example: ${describeTypes(others)}.`;
  return (
    <p>
      {text} Its URL is in the job’s{" "}
      <Link href="/docs/outputs" className="text-brand underline underline-offset-4">
        outputs
      </Link>
      .
    </p>
  );
}
