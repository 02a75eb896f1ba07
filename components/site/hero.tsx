import Link from "next/link";
import { Button } from "#components/ui/button.tsx";
import { operations } from "#lib/operations/catalogue/index.ts";
import { HeroDemo } from "./hero-demo.tsx";

const facts = [
  `${operations.length} operations`,
  "Signed webhooks",
  "OpenAPI 3.1",
  "Runs on your own machines",
] as const;

/** The first screen: what it is, and calls with what they made. */
export function Hero({ baseUrl }: { baseUrl: string }) {
  return (
    <section className="grid items-start gap-x-12 gap-y-10 py-12 sm:py-16 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <div className="lg:pt-14">
        <h1 className="text-4xl font-semibold tracking-tight text-balance sm:text-5xl lg:text-6xl">
          One HTTP call for every media job.
        </h1>
        <p className="mt-6 max-w-xl text-lg text-muted-foreground">
          Send a URL or a file and get a job back in milliseconds. ffmpeg, Chromium, LibreOffice and
          libvips do the work: warm, sandboxed, and on your own machines.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <Button size="lg" variant="brand" asChild>
            <Link href="/dashboard/playground" prefetch={false}>
              Try it on a file
            </Link>
          </Button>
          <Button size="lg" variant="outline" asChild>
            <Link href="/docs">Read the docs</Link>
          </Button>
        </div>
        <ul className="mt-10 grid max-w-md gap-x-6 gap-y-2 text-sm text-muted-foreground sm:grid-cols-2">
          {facts.map((fact) => (
            <li key={fact} className="flex items-center gap-2">
              <span aria-hidden="true" className="h-3 w-px bg-brand" />
              {fact}
            </li>
          ))}
        </ul>
      </div>
      <HeroDemo baseUrl={baseUrl} />
    </section>
  );
}
