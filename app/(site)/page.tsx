import Link from "next/link";
import type { ReactNode } from "react";
import { CodeBlock } from "#components/code/code-block.tsx";
import { PlanTable } from "#components/plans/plan-table.tsx";
import { Hero } from "#components/site/hero.tsx";
import { Reasons } from "#components/site/reasons.tsx";
import { Showcase } from "#components/site/showcase.tsx";
import { WayOfAJob } from "#components/site/way-of-a-job.tsx";
import { Button } from "#components/ui/button.tsx";
import { env } from "#lib/env.ts";

const start = "npm start   # in a clone of the repository";

export default function HomePage() {
  return (
    <main id="content" className="mx-auto max-w-6xl px-4 sm:px-6">
      <Hero baseUrl={env.APP_URL} />
      <Showcase />
      <WayOfAJob />
      <Reasons />
      <section id="plans" aria-labelledby="plans-title" className="mt-24 scroll-mt-20">
        <h2 id="plans-title" className="text-2xl font-semibold tracking-tight">
          Plans
        </h2>
        <p className="mt-2 mb-6 text-muted-foreground">
          Every plan includes every operation. An account starts on Free; the operator of this
          installation changes plans.
        </p>
        <PlanTable />
        <p className="mt-3 text-sm text-muted-foreground">
          How usage is counted:{" "}
          <Link href="/docs/limits" className="text-brand underline underline-offset-4">
            plans and limits
          </Link>
          .
        </p>
      </section>
      <div className="mt-24 grid gap-px overflow-hidden rounded-xl border bg-border lg:grid-cols-2">
        <Beginning title="Start now">
          <p className="mb-6 text-muted-foreground">
            Create an account, get a key, and paste one line: the first PDF is a minute away.
          </p>
          <div className="flex flex-wrap gap-3">
            <Button variant="brand" asChild>
              <Link href="/sign-up" prefetch={false}>
                Create an account
              </Link>
            </Button>
            <Button variant="outline" asChild>
              <Link href="/docs">Quick start</Link>
            </Button>
          </div>
        </Beginning>
        <Beginning title="On a machine of your own">
          <p className="mb-6 text-muted-foreground">
            Debian or macOS, Node.js 20 or later. It installs what it needs and prints an address, a
            key and a password.
          </p>
          <CodeBlock code={start} language="bash" />
        </Beginning>
      </div>
    </main>
  );
}

/** One way to begin. */
function Beginning({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0 bg-card p-6 sm:p-8">
      <h2 className="mb-2 text-xl font-semibold tracking-tight">{title}</h2>
      {children}
    </section>
  );
}
