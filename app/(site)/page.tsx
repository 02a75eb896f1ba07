import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { Catalogue } from "#components/catalogue/catalogue.tsx";
import { catalogueEntries } from "#components/catalogue/entries.ts";
import { CodeBlock } from "#components/code/code-block.tsx";
import { PlanTable } from "#components/plans/plan-table.tsx";
import { Features } from "#components/site/features.tsx";
import { Hero } from "#components/site/hero.tsx";
import { JobLifecycle } from "#components/site/job-lifecycle.tsx";
import { Proof } from "#components/site/proof.tsx";
import { Showcase } from "#components/site/showcase.tsx";
import { Button } from "#components/ui/button.tsx";
import { listUnavailableOperations } from "#lib/api/job-creation/unavailable-operations.ts";
import { readNewAccountPlanOrDefault } from "#lib/auth/new-account-plan.ts";
import { isSignUpOpen } from "#lib/auth/sign-up.ts";
import { env } from "#lib/env.ts";

export const metadata: Metadata = { alternates: { canonical: "/" } };

const startCommand = "npm start   # in a clone of the repository";

export default async function HomePage() {
  const [isOpen, unavailable, newAccountPlan] = await Promise.all([
    isSignUpOpen(),
    listUnavailableOperations(),
    readNewAccountPlanOrDefault(),
  ]);
  return (
    <main id="content" className="mx-auto max-w-6xl px-4 sm:px-6">
      <Hero baseUrl={env.APP_URL} />
      <Catalogue entries={catalogueEntries(unavailable)} />
      <Showcase />
      <JobLifecycle />
      <Proof />
      <Features />
      <section id="plans" aria-labelledby="plans-title" className="mt-24 scroll-mt-20">
        <h2 id="plans-title" className="text-2xl font-semibold tracking-tight">
          Plans
        </h2>
        <p className="mt-2 mb-6 text-muted-foreground">
          Every plan includes every operation. New accounts start on{" "}
          <span className="capitalize">{newAccountPlan}</span>. The operator of this installation
          can change your plan.
        </p>
        <PlanTable />
        <p className="mt-3 text-sm text-muted-foreground">
          See{" "}
          <Link href="/docs/limits" className="text-brand underline underline-offset-4">
            plans and limits
          </Link>{" "}
          for how usage is counted.
        </p>
      </section>
      <div className="mt-24 grid gap-px overflow-hidden rounded-xl border bg-border lg:grid-cols-2">
        <GetStartedCard title="Get started">
          <p className="mb-6 text-muted-foreground">
            {isOpen ? "Create an account and an API key" : "Create an API key"}, and run one command
            to create your first PDF.
          </p>
          <div className="flex flex-wrap gap-3">
            <Button variant="brand" asChild>
              <Link href={isOpen ? "/sign-up" : "/sign-in"} prefetch={false}>
                {isOpen ? "Create account" : "Sign in"}
              </Link>
            </Button>
            <Button variant="outline" asChild>
              <Link href="/docs">Read the quick start</Link>
            </Button>
          </div>
        </GetStartedCard>
        <GetStartedCard title="Self-host">
          <p className="mb-6 text-muted-foreground">
            You need Debian or macOS, and Node.js 20 or later. The command installs everything else
            and prints a URL, an API key and a password.
          </p>
          <CodeBlock code={startCommand} language="bash" isPublic />
        </GetStartedCard>
      </div>
    </main>
  );
}

/** One of the ways to get started. */
function GetStartedCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0 bg-card p-6 sm:p-8">
      <h2 className="mb-2 text-xl font-semibold tracking-tight">{title}</h2>
      {children}
    </section>
  );
}
