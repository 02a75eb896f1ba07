import { OperationList } from "#components/site/operation-list.tsx";
import { operationGroups } from "#lib/operations/define.ts";
import { operations } from "#lib/operations/index.ts";

const curl = `curl -H "X-API-Key: $KEY" -H "Prefer: wait=30" \\
  -F file=@page.html -F page_size=A4 \\
  $MEDIAMILL/v1/document/html-to-pdf`;

export default function HomePage() {
  return (
    <main className="mx-auto max-w-4xl px-5 py-16 sm:py-24">
      <p className="font-mono text-sm text-accent">Mediamill</p>
      <h1 className="mt-3 text-4xl font-semibold tracking-tight sm:text-5xl">
        One HTTP call for every media job.
      </h1>
      <p className="mt-5 max-w-2xl text-lg text-quiet">
        Send a URL or a file and get a job back at once. ffmpeg, Chromium, LibreOffice and libvips
        do the work, warm and sandboxed, on your own machine.
      </p>
      <pre className="mt-8 overflow-x-auto rounded-lg border border-line bg-surface p-5 font-mono text-sm leading-relaxed">
        <code>{curl}</code>
      </pre>
      <nav className="mt-5 flex flex-wrap gap-x-6 gap-y-2 text-sm" aria-label="Reference">
        <a className="text-accent underline underline-offset-4" href="/openapi.json">
          OpenAPI 3.1
        </a>
        <a className="text-accent underline underline-offset-4" href="/v1/operations">
          The catalogue as JSON
        </a>
        <a className="text-accent underline underline-offset-4" href="/readyz">
          Status of this installation
        </a>
      </nav>
      {operationGroups.map((group) => (
        <OperationList
          key={group}
          group={group}
          operations={operations.filter((operation) => operation.group === group)}
        />
      ))}
    </main>
  );
}
