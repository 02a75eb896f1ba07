import Link from "next/link";
import type { ReactNode } from "react";
import { CodeBlock } from "#components/code/code-block.tsx";
import { SampleView } from "#components/samples/sample-view.tsx";
import { sampleOf } from "#components/samples/samples.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { env } from "#lib/env.ts";
import { type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { Operation } from "#lib/operations/define.ts";
import { CodeTabs } from "./code-tabs.tsx";
import { exampleSnippets } from "./example.ts";
import { DocsTitle } from "./guide-page.tsx";
import { Neighbours } from "./neighbours.tsx";
import { ParameterTable } from "./parameter-table.tsx";
import { groupTitles, operationTitle } from "./titles.ts";

/** The reference of one operation, all of it from the catalogue. */
export function OperationPage({ operation }: { operation: Operation }) {
  const sample = sampleOf(operation.id);
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
      <DocsTitle title={operationTitle(operation.id)} summary={operation.summary} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="font-mono text-sm">
          <Badge variant="brand">POST</Badge> /v1/{operation.id}
        </p>
        <Button variant="brand" size="sm" asChild>
          <Link href={`/dashboard/playground?operation=${operation.id}`}>Try it</Link>
        </Button>
      </div>
      {sample && (
        <Section title="What it does">
          <SampleView sample={sample} />
        </Section>
      )}
      <Section title="Request">
        <RequestCode operation={operation} />
      </Section>
      {sample && (
        <Section title="Response">
          <CodeBlock
            code={JSON.stringify(sample.job, null, 2).replaceAll("{{baseUrl}}", env.APP_URL)}
            language="json"
            title="200, the finished job"
            className="[&_pre]:max-h-96"
          />
          <p className="mt-3 text-sm text-muted-foreground">
            Without <code className="font-mono text-xs">Prefer: wait</code> the answer is the same
            job as it begins: <code className="font-mono text-xs">202</code>, pending, without
            outputs.
          </p>
        </Section>
      )}
      <Section title="Parameters">
        <ParameterTable operation={operation} />
        <p className="mt-3 text-sm text-muted-foreground">
          Every operation also takes{" "}
          <Link href="/docs/webhooks" className="text-brand underline underline-offset-4">
            webhook_url
          </Link>{" "}
          and{" "}
          <Link
            href="/docs/jobs#your-own-data-on-a-job"
            className="text-brand underline underline-offset-4"
          >
            metadata
          </Link>
          . An unknown parameter is an error.
        </p>
      </Section>
      <Section title="Accepts">
        <TypeList types={operation.accepts} />
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
      <Neighbours href={`/docs/${operation.id}`} />
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

/** The request that made the sample. */
function RequestCode({ operation }: { operation: Operation }) {
  const { curl, typescript, python } = exampleSnippets(operation);
  return (
    <CodeTabs
      blocks={[
        { label: "curl", code: <CodeBlock code={curl} language="bash" /> },
        { label: "TypeScript", code: <CodeBlock code={typescript} language="typescript" /> },
        { label: "Python", code: <CodeBlock code={python} language="python" /> },
      ]}
    />
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

/** What comes out, by asking the operation what it produces of each type that it takes. */
function OutputText({ operation }: { operation: Operation }) {
  const params = operation.params.parse(operation.example);
  const made = operation.accepts.map((type) => [type, operation.produces(type, params)] as const);
  const kinds = [...new Set(made.map(([, type]) => type))];
  const isSame = made.every(([type, output]) => type === output);
  const only = kinds.length === 1 && kinds[0] ? mediaType(kinds[0]).label : undefined;
  const text = isSame
    ? "A file of the same format."
    : only
      ? `${/^[AEFHILMNORSX]/.test(only) ? "An" : "A"} ${only} file, with the parameters above.`
      : "A file of the input's own format where the container can hold it; else MP4.";
  return (
    <p>
      {text} Its address is in the job’s{" "}
      <Link href="/docs/outputs" className="text-brand underline underline-offset-4">
        outputs
      </Link>
      .
    </p>
  );
}
