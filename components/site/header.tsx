import Link from "next/link";
import type { ReactNode } from "react";
import { Logo, Mark } from "#components/brand/logo.tsx";
import { ThemeToggle } from "#components/theme/toggle.tsx";
import { Button } from "#components/ui/button.tsx";
import { hasSessionCookie } from "#lib/auth/session.ts";
import { isSignUpOpen } from "#lib/auth/sign-up.ts";

/** The header of the site's pages. `children` are shown next to the theme button, such as the search. */
export async function SiteHeader({ children }: { children?: ReactNode }) {
  const isSignedIn = await hasSessionCookie();
  return (
    <header className="sticky top-0 z-30 border-b bg-background/90 backdrop-blur">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-primary focus:px-3 focus:py-2 focus:text-primary-foreground"
      >
        Skip to content
      </a>
      <div className="mx-auto flex h-14 max-w-6xl items-center gap-0.5 px-3 sm:gap-4 sm:px-6">
        <Link href="/" aria-label="Mediamill home" className="flex items-center">
          {/* The name has no room on narrow pages. */}
          <Logo className="max-[26rem]:hidden" />
          <Mark className="hidden max-[26rem]:block" />
        </Link>
        <nav aria-label="Site" className="flex items-center gap-1 text-sm">
          <Button variant="ghost" size="sm" asChild className="max-sm:px-2">
            <Link href="/docs">Docs</Link>
          </Button>
          <Button
            variant="ghost"
            size="sm"
            asChild
            className="hidden max-sm:px-2 min-[23rem]:inline-flex"
          >
            <Link href="/#plans">Plans</Link>
          </Button>
        </nav>
        <div className="ml-auto flex items-center gap-0.5 sm:gap-2">
          {children}
          {/* Narrower pages have it in the footer. */}
          <span className="max-[26rem]:hidden">
            <ThemeToggle />
          </span>
          {isSignedIn ? <HeaderLink href="/dashboard">Dashboard</HeaderLink> : <SignInLinks />}
        </div>
      </div>
    </header>
  );
}

async function SignInLinks() {
  if (!(await isSignUpOpen())) return <HeaderLink href="/sign-in">Sign in</HeaderLink>;
  return (
    <>
      <HeaderLink href="/sign-in" variant="ghost">
        Sign in
      </HeaderLink>
      <HeaderLink href="/sign-up">Sign up</HeaderLink>
    </>
  );
}

interface HeaderLinkProps {
  readonly href: string;
  readonly variant?: "default" | "ghost";
  readonly children: ReactNode;
}

/** A link that is not prefetched, because the page depends on whether the visitor is signed in. */
function HeaderLink({ href, variant = "default", children }: HeaderLinkProps) {
  return (
    <Button size="sm" variant={variant} asChild className="max-sm:px-2">
      <Link href={href} prefetch={false}>
        {children}
      </Link>
    </Button>
  );
}
