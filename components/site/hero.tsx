import Link from "next/link";
import { PlaygroundLink } from "#components/sign-in/playground-link.tsx";
import { Button } from "#components/ui/button.tsx";
import { operations } from "#lib/operations/catalogue/index.ts";
import { HeroDemo } from "./hero-demo.tsx";

const facts = [
  `${operations.length} operations`,
  "Signed webhooks",
  "OpenAPI 3.1",
  "Self-hosted",
] as const;

/** The first screen: what the service does, with example requests and their results. */
export function Hero({ baseUrl }: { baseUrl: string }) {
  return (
    <section className="grid items-start gap-x-12 gap-y-10 py-12 sm:py-16 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <div className="lg:pt-14">
        <h1 className="text-4xl font-semibold tracking-tight text-balance sm:text-5xl lg:text-6xl">
          Media processing over HTTP
        </h1>
        <p className="mt-6 max-w-xl text-lg text-muted-foreground">
          Convert and edit video, audio, images and documents. Send a file or a URL, and get the
          result by webhook, event stream or polling. ffmpeg, Chromium, LibreOffice and libvips run
          in sandboxes on your own servers.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <PlaygroundLink size="lg">Try it on a file</PlaygroundLink>
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
