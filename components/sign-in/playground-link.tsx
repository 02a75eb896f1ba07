import Link from "next/link";
import type { ReactNode } from "react";
import { buttonVariants } from "#components/ui/button-variants.ts";
import { hasSessionCookie } from "#lib/auth/session.ts";
import { isSignUpOpen } from "#lib/auth/sign-up.ts";

interface PlaygroundLinkProps {
  /** The operation to open. Default: the playground's own. */
  readonly operation?: string;
  /** Values of the operation's parameters that are filled in. */
  readonly params?: Readonly<Record<string, string>>;
  readonly size: "sm" | "lg";
  readonly children: ReactNode;
}

/**
 * The URL of the playground for a link of a public page. Without a session it leads there through sign-up or
 * sign-in, and never through a redirect of the dashboard: Next.js keeps a prefetched redirect of the dashboard's
 * layout and uses it for other pages of the dashboard too.
 */
export async function playgroundHref(
  operation?: string,
  params: Readonly<Record<string, string>> = {},
): Promise<string> {
  const filled = new URLSearchParams(params).toString();
  const query = operation ? `?operation=${operation}${filled && `&${filled}`}` : "";
  return throughSignIn(`/dashboard/playground${query}`);
}

/** The URL that leads to a path of the dashboard, without a session through sign-up or sign-in. */
export async function throughSignIn(path: string): Promise<string> {
  const entry = (await isSignUpOpen()) ? "/sign-up" : "/sign-in";
  const isSignedIn = await hasSessionCookie();
  return isSignedIn ? path : `${entry}?next=${encodeURIComponent(path)}`;
}

/** A button of a public page to the playground. */
export async function PlaygroundLink({ operation, params, size, children }: PlaygroundLinkProps) {
  return (
    <Link
      href={await playgroundHref(operation, params)}
      prefetch={false}
      className={buttonVariants({ variant: "brand", size })}
    >
      {children}
    </Link>
  );
}
