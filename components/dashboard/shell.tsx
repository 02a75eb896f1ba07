import type { ReactNode } from "react";
import { Logo } from "#components/brand/logo.tsx";
import { ThemeToggle } from "#components/theme/toggle.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { PrefetchLink } from "#components/ui/prefetch-link.tsx";
import { MobileNavigation } from "./mobile-navigation.tsx";
import { Navigation } from "./navigation.tsx";
import { DashboardSearch } from "./search.tsx";
import { Shortcuts } from "./shortcuts/shortcuts.tsx";

interface ShellProps {
  readonly email: string;
  readonly plan: string;
  /** Whether to show the operator's pages. */
  readonly isOperator: boolean;
  /** The sign-out button. */
  readonly signOut: ReactNode;
  readonly children: ReactNode;
}

/** The layout of every dashboard page: navigation, search, signed-in account and theme. */
export function Shell({ email, plan, isOperator, signOut, children }: ShellProps) {
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-primary focus:px-3 focus:py-2 focus:text-primary-foreground"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh flex-col gap-6 border-r p-4 lg:flex">
        <PrefetchLink href="/dashboard" className="px-3 pt-1" aria-label="Mediamill overview">
          <Logo />
        </PrefetchLink>
        <DashboardSearch variant="field" isOperator={isOperator} />
        <Navigation isOperator={isOperator} />
        <div className="mt-auto grid gap-2 border-t pt-4 pl-3 text-sm">
          <p className="truncate" title={email}>
            {email}
          </p>
          <div className="flex items-center justify-between">
            <Badge variant="outline" className="capitalize">
              {plan}
            </Badge>
            <div className="flex items-center">
              <Shortcuts />
              <ThemeToggle />
              {signOut}
            </div>
          </div>
        </div>
      </aside>
      <div className="min-w-0">
        <header className="sticky top-0 z-30 flex h-14 items-center justify-between border-b bg-background/90 px-3 backdrop-blur lg:hidden">
          <div className="flex items-center gap-1">
            <MobileNavigation isOperator={isOperator} email={email} signOut={signOut} />
            <PrefetchLink href="/dashboard" className="flex" aria-label="Mediamill overview">
              <Logo />
            </PrefetchLink>
          </div>
          <div className="flex items-center">
            <DashboardSearch variant="icon" shortcut={false} isOperator={isOperator} />
            <ThemeToggle />
          </div>
        </header>
        <main id="content" className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-6 lg:py-8">
          {children}
        </main>
      </div>
    </div>
  );
}
