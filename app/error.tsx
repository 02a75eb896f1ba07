"use client";

import { Logo } from "#components/brand/logo.tsx";
import { buttonVariants } from "#components/ui/button-variants.ts";

interface ErrorPageProps {
  readonly error: Error & { digest?: string };
  readonly reset: () => void;
}

/**
 * The page that is shown if rendering failed. Every page loads it in advance, so it imports no
 * libraries of components and icons.
 */
export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <main className="mx-auto grid max-w-2xl justify-items-start gap-4 px-6 py-8">
      {/* A plain link, because the error may be in the router. */}
      <a href="/" aria-label="Mediamill home" className="mb-16">
        <Logo />
      </a>
      <AlertIcon />
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
        <button type="button" onClick={reset} className={buttonVariants()}>
          Try again
        </button>
        <a href="/dashboard" className={buttonVariants({ variant: "outline" })}>
          Go to overview
        </a>
      </div>
    </main>
  );
}

/** The icon of the dashboard's error page. */
function AlertIcon() {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      className="size-8 fill-none stroke-current stroke-[1.5] text-destructive"
    >
      <circle cx="12" cy="12" r="10" />
      <path d="M12 8v4M12 16h.01" strokeLinecap="round" />
    </svg>
  );
}
