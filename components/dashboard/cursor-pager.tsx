import { ChevronLeftIcon, ChevronRightIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { PrefetchLink } from "#components/ui/prefetch-link.tsx";

interface CursorPagerProps {
  /** The URL of the page with newer rows; undefined for the newest page. */
  readonly newer: string | undefined;
  readonly older: string | undefined;
  /** What is at the left edge, such as the number of rows. */
  readonly children?: ReactNode;
}

/** Links to the newer and the older page of a list. */
export function CursorPager({ newer, older, children }: CursorPagerProps) {
  return (
    <nav aria-label="Pagination" className="flex items-center gap-2 text-sm text-muted-foreground">
      <p className="mr-auto tabular-nums">{children}</p>
      <Step href={newer} rel="prev">
        <ChevronLeftIcon aria-hidden="true" />
        Newer
      </Step>
      <Step href={older} rel="next">
        Older
        <ChevronRightIcon aria-hidden="true" />
      </Step>
    </nav>
  );
}

interface StepProps {
  readonly href: string | undefined;
  readonly rel: "prev" | "next";
  readonly children: ReactNode;
}

function Step({ href, rel, children }: StepProps) {
  if (href === undefined) {
    return (
      <Button variant="outline" size="sm" disabled>
        {children}
      </Button>
    );
  }
  return (
    <Button asChild variant="outline" size="sm">
      <PrefetchLink href={href} rel={rel}>
        {children}
      </PrefetchLink>
    </Button>
  );
}
