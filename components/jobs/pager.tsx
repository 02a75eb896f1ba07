import { ChevronLeftIcon, ChevronRightIcon } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";

interface PagerProps {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly addressOf: (page: number) => string;
}

const counted = new Intl.NumberFormat("en");

/** Which of all is shown, and the way to the pages beside. */
export function Pager({ page, pageSize, total, addressOf }: PagerProps) {
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(total, page * pageSize);
  return (
    <nav aria-label="Pages" className="flex items-center gap-2 text-sm text-muted-foreground">
      <p className="mr-auto tabular-nums">
        {counted.format(first)}–{counted.format(last)} of {counted.format(total)}
      </p>
      <Step address={page > 1 ? addressOf(page - 1) : undefined} rel="prev">
        <ChevronLeftIcon aria-hidden="true" />
        Newer
      </Step>
      <Step address={last < total ? addressOf(page + 1) : undefined} rel="next">
        Older
        <ChevronRightIcon aria-hidden="true" />
      </Step>
    </nav>
  );
}

interface StepProps {
  readonly address: string | undefined;
  readonly rel: "prev" | "next";
  readonly children: ReactNode;
}

function Step({ address, rel, children }: StepProps) {
  if (address === undefined) {
    return (
      <Button variant="outline" size="sm" disabled>
        {children}
      </Button>
    );
  }
  return (
    <Button asChild variant="outline" size="sm">
      <Link href={address} rel={rel}>
        {children}
      </Link>
    </Button>
  );
}
