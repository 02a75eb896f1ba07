import Link from "next/link";
import { CodeBlock } from "#components/code/code-block.tsx";
import { Button } from "#components/ui/button.tsx";

/** The first screen: what it is, and the one call that shows it. */
export function Hero({ baseUrl }: { baseUrl: string }) {
  const call = `curl ${baseUrl}/v1/document/html-to-pdf \\
  -H "X-API-Key: $MEDIAMILL_API_KEY" \\
  -H "Prefer: wait=30" \\
  -F input=https://example.com \\
  -F page_size=A4`;
  return (
    <section className="grid items-center gap-x-12 gap-y-10 py-14 sm:py-20 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)]">
      <div>
        <h1 className="text-4xl font-semibold tracking-tight text-balance sm:text-5xl">
          One HTTP call for every media job.
        </h1>
        <p className="mt-5 max-w-xl text-lg text-muted-foreground">
          Send a URL or a file and get a job back in milliseconds. ffmpeg, Chromium, LibreOffice and
          libvips do the work: warm, sandboxed, and on your own machines.
        </p>
        <div className="mt-7 flex flex-wrap gap-3">
          <Button size="lg" variant="brand" asChild>
            <Link href="/dashboard/playground" prefetch={false}>
              Try it on a file
            </Link>
          </Button>
          <Button size="lg" variant="outline" asChild>
            <Link href="/docs">Read the docs</Link>
          </Button>
        </div>
      </div>
      <div className="min-w-0">
        <CodeBlock code={call} language="bash" title="A web page as a PDF" />
      </div>
    </section>
  );
}
