import Link from "next/link";
import { CodeBlock } from "#components/code/code-block.tsx";
import { PlanTable } from "#components/plans/plan-table.tsx";
import { Hero } from "#components/site/hero.tsx";
import { Reasons } from "#components/site/reasons.tsx";
import { Showcase } from "#components/site/showcase.tsx";
import { WayOfAJob } from "#components/site/way-of-a-job.tsx";
import { env } from "#lib/env.ts";

const start = `git clone <this repository> mediamill && cd mediamill
npm start`;

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
          All of them have every operation. An account starts on Free; the operator of this
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
      <section aria-labelledby="own" className="mt-24">
        <h2 id="own" className="text-2xl font-semibold tracking-tight">
          On a machine of your own
        </h2>
        <p className="mt-2 mb-6 text-muted-foreground">
          Debian or macOS, Node.js 20 or later. It installs what it needs and prints the address.
        </p>
        <CodeBlock code={start} language="bash" />
      </section>
    </main>
  );
}
