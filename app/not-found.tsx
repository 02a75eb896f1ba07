import { CompassIcon } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { SiteHeader } from "#components/site/header.tsx";
import { Button } from "#components/ui/button.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFoundPage() {
  return (
    <>
      <SiteHeader />
      <main id="content" className="mx-auto grid max-w-2xl justify-items-start gap-4 px-6 py-24">
        <CompassIcon aria-hidden="true" className="size-8 text-brand" strokeWidth={1.5} />
        <h1 className="text-3xl font-semibold tracking-tight">Page not found</h1>
        <p className="text-muted-foreground">
          Check the URL. The page may have been moved or deleted.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button asChild>
            <Link href="/">Go to home page</Link>
          </Button>
          <Button variant="outline" asChild>
            <Link href="/docs">Read the docs</Link>
          </Button>
        </div>
      </main>
    </>
  );
}
