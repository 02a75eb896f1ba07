import Link from "next/link";
import type { ReactNode } from "react";
import { Logo, Mark } from "#components/brand/logo.tsx";
import { ThemeToggle } from "#components/theme/toggle.tsx";
import { Button } from "#components/ui/button.tsx";

/** The header of the site's pages. `children` are shown next to the theme button, such as the search. */
export function SiteHeader({ children }: { children?: ReactNode }) {
  return (
    <header className="sticky top-0 z-30 border-b bg-background/90 backdrop-blur">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-primary focus:px-3 focus:py-2 focus:text-primary-foreground"
      >
        Skip to content
      </a>
      <div className="mx-auto flex h-14 max-w-6xl items-center gap-1 px-3 sm:gap-4 sm:px-6">
        <Link href="/" aria-label="Mediamill home">
          {/* The name has no room at 320 px. */}
          <Logo className="max-[22.4rem]:hidden" />
          <Mark className="hidden max-[22.4rem]:block" />
        </Link>
        <nav aria-label="Site" className="flex items-center gap-1 text-sm">
          <Button variant="ghost" size="sm" asChild className="max-sm:px-2">
            <Link href="/docs">Docs</Link>
          </Button>
          <Button variant="ghost" size="sm" asChild className="hidden sm:inline-flex">
            <Link href="/#plans">Plans</Link>
          </Button>
        </nav>
        <div className="ml-auto flex items-center gap-1 sm:gap-2">
          {children}
          <ThemeToggle />
          <Button size="sm" asChild className="max-sm:px-2.5">
            <Link href="/dashboard">Dashboard</Link>
          </Button>
        </div>
      </div>
    </header>
  );
}
