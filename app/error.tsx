"use client";

import { CircleAlertIcon } from "lucide-react";
import { Logo } from "#components/brand/logo.tsx";
import { Button } from "#components/ui/button.tsx";

interface ErrorPageProps {
  readonly error: Error & { digest?: string };
  readonly reset: () => void;
}

/** Shown if rendering a page failed. */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <main className="mx-auto grid max-w-2xl justify-items-start gap-4 px-6 py-8">
      {/* A plain link, because the error may be in the router. */}
      <a href="/" aria-label="Mediamill home" className="mb-16">
        <Logo />
      </a>
      <CircleAlertIcon aria-hidden="true" className="size-8 text-destructive" strokeWidth={1.5} />
      <h1 className="text-3xl font-semibold tracking-tight">This page could not be loaded</h1>
      <p className="text-muted-foreground">
        The service failed to load this page. Your data is not affected. Try again shortly.
        {error.digest && (
          <>
            {" "}
            If this happens again, send this code to the operator: <code>{error.digest}</code>
          </>
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={reset}>Try again</Button>
        <Button variant="outline" asChild>
          <a href="/dashboard">Go to overview</a>
        </Button>
      </div>
    </main>
  );
}
