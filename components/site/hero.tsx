import Link from "next/link";
import { PlaygroundLink } from "#components/sign-in/playground-link.tsx";
import { tryPresets } from "#components/try-it/presets.ts";
import { trySamples } from "#components/try-it/samples.ts";
import { TryIt } from "#components/try-it/try-it.tsx";
import { Button } from "#components/ui/button.tsx";
import { isSignUpOpen } from "#lib/auth/sign-up.ts";
import { isTryItOn } from "#lib/auth/visitors.ts";
import { hostUploads } from "#lib/jobs/accept/host-uploads.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import { plans } from "#lib/plans.ts";
import { HeroDemo } from "./hero-demo.tsx";

const facts = [
  `${operations.length} operations`,
  "Signed webhooks",
  "OpenAPI 3.1",
  "Self-hosted",
] as const;

/** What a visitor can send, in a form or by an upload. */
const maxFileBytes = Math.min(
  plans.visitor.maxFileBytes ?? Infinity,
  hostUploads.direct ? Infinity : (hostUploads.formBytes ?? Infinity),
);

interface HeroProps {
  /** The service's URL, without a trailing slash. */
  readonly baseUrl: string;
}

/** The first screen: what the service does, and operations to run, or examples if trying is turned off. */
export async function Hero({ baseUrl }: HeroProps) {
  if (!(await isTryItOn())) {
    return (
      <section className="grid items-start gap-x-12 gap-y-10 py-12 sm:py-16 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
        <div className="grid gap-8 lg:pt-14">
          <Title />
          <Summary />
          <PlaygroundLink size="lg">Try it on a file</PlaygroundLink>
        </div>
        <HeroDemo baseUrl={baseUrl} />
      </section>
    );
  }
  return (
    <section className="grid gap-8 py-8 sm:py-10">
      <div className="grid items-start gap-x-12 gap-y-6 lg:grid-cols-2">
        <Title />
        <Summary />
      </div>
      <TryIt
        presets={await tryPresets()}
        samples={trySamples}
        baseUrl={baseUrl}
        maxFileBytes={maxFileBytes}
        uploads={hostUploads}
        account={
          <PlaygroundLink size="sm">
            {(await isSignUpOpen()) ? "Create an account" : "Sign in"}
          </PlaygroundLink>
        }
      />
    </section>
  );
}

function Title() {
  return (
    <h1 className="text-4xl font-semibold tracking-tight text-balance sm:text-5xl">
      Media processing over HTTP
    </h1>
  );
}

function Summary() {
  return (
    <div className="grid max-w-xl gap-5">
      <p className="text-lg text-muted-foreground">
        Convert and edit video, audio, images and documents. Send a file or a URL, and get the
        result by webhook, event stream or polling. ffmpeg, Chromium, LibreOffice and libvips run in
        sandboxes on your own servers.
      </p>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <Button variant="outline" asChild>
          <Link href="/docs">Read the docs</Link>
        </Button>
        <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted-foreground">
          {facts.map((fact) => (
            <li key={fact} className="flex items-center gap-2">
              <span aria-hidden="true" className="h-3 w-px bg-brand" />
              {fact}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
