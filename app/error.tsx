"use client";

import { CircleAlertIcon } from "lucide-react";
import { Logo } from "#components/brand/logo.tsx";
import { Button } from "#components/ui/button.tsx";

interface ErrorPageProps {
  readonly error: Error & { digest?: string };
  readonly reset: () => void;
}

/** What a page shows when it could not be made. */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <main className="mx-auto grid max-w-2xl justify-items-start gap-4 px-6 py-8">
      {/* The browser's own way: what failed here may be the router's. */}
      <a href="/" aria-label="Mediamill, home" className="mb-16">
        <Logo />
      </a>
      <CircleAlertIcon aria-hidden="true" className="size-8 text-destructive" strokeWidth={1.5} />
      <h1 className="text-3xl font-semibold tracking-tight">This page could not be loaded.</h1>
      <p className="text-muted-foreground">
        Something failed on our side; nothing of yours was lost. Try again in a moment.
        {error.digest && (
          <>
            {" "}
            If it stays, tell the operator this code: <code>{error.digest}</code>
          </>
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={reset}>Try again</Button>
        <Button variant="outline" asChild>
          <a href="/dashboard">Go to the overview</a>
        </Button>
      </div>
    </main>
  );
}
