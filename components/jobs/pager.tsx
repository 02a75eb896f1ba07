import { ChevronLeftIcon, ChevronRightIcon } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { maxExactTotal } from "#lib/db/queries/jobs/lists.ts";

interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  /** Rows on this page. */
  readonly rows: number;
  /** Rows on all pages, at most `maxExactTotal` + 1. */
  readonly total: number;
  readonly hasMore: boolean;
  readonly pageUrl: (page: number) => string;
}

const numberFormat = new Intl.NumberFormat("en");

/** The range of rows on this page, and links to the previous and the next page. */
export function Pager({ page, pageSize, rows, total, hasMore, pageUrl }: PagerProps) {
  const first = (page - 1) * pageSize + 1;
  const last = first + rows - 1;
  return (
    <nav aria-label="Pagination" className="flex items-center gap-2 text-sm text-muted-foreground">
      <p className="mr-auto tabular-nums">
        {numberFormat.format(first)}–{numberFormat.format(last)} of {formatTotal(total)}
      </p>
      <Step href={page > 1 ? pageUrl(page - 1) : undefined} rel="prev">
        <ChevronLeftIcon aria-hidden="true" />
        Newer
      </Step>
      <Step href={hasMore ? pageUrl(page + 1) : undefined} rel="next">
        Older
        <ChevronRightIcon aria-hidden="true" />
      </Step>
    </nav>
  );
}

function formatTotal(total: number): string {
  return total > maxExactTotal
    ? `${numberFormat.format(maxExactTotal)}+`
    : numberFormat.format(total);
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
      <Link href={href} rel={rel}>
        {children}
      </Link>
    </Button>
  );
}
