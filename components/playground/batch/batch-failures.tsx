"use client";

import { RotateCwIcon } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { InlineCode } from "#components/ui/inline-code.tsx";
import { plainMessage } from "../form/plain-message.ts";
import type { BatchItem } from "./batch.ts";

interface BatchFailuresProps {
  readonly items: readonly BatchItem[];
  /** Whether files are still in progress. They must end before others are run again. */
  readonly isOpen: boolean;
  readonly onRetry: (indices: readonly number[]) => void;
}

/** How many failures are shown at first. */
const shownFirst = 20;

/** The files without a result: why, what to do, and a retry with the form as it is now. */
export function BatchFailures({ items, isOpen, onRetry }: BatchFailuresProps) {
  const [isComplete, setComplete] = useState(false);
  const failed = items.flatMap(({ state, ...item }) =>
    state.kind === "failed" ? [{ ...item, ...state }] : [],
  );
  const cancelled = items.filter(({ state }) => state.kind === "cancelled");
  const again = [...failed, ...cancelled].map(({ index }) => index);
  if (again.length === 0) return null;
  const shown = isComplete ? failed : failed.slice(0, shownFirst);
  return (
    <section
      aria-label="Failures"
      className="grid min-w-0 gap-3 rounded-lg border border-destructive/40 bg-destructive/5 p-4 text-sm"
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-medium">
          {failed.length > 0 ? `Failed: ${failed.length}` : `Cancelled: ${cancelled.length}`}
        </h3>
        <Button
          variant="outline"
          size="sm"
          aria-disabled={isOpen}
          onClick={() => !isOpen && onRetry(again)}
        >
          <RotateCwIcon aria-hidden="true" />
          Retry all {again.length}
        </Button>
      </div>
      {failed.some(({ error }) => error.isFinal) && (
        <p className="text-muted-foreground">
          A retry uses the form as it is now: change a parameter or the operation first where the
          advice says so.
        </p>
      )}
      <ul className="grid gap-3">
        {shown.map(({ index, path, file, error, jobId }) => (
          <li key={index} className="flex flex-wrap items-start gap-x-3 gap-y-1">
            <div className="min-w-0 flex-1 basis-60">
              <p className="font-medium wrap-anywhere">
                {jobId ? (
                  <Link href={`/dashboard/jobs/${jobId}`} prefetch={false} className="underline">
                    {path}
                  </Link>
                ) : (
                  path
                )}
              </p>
              <p className="break-words text-destructive">
                <InlineCode text={plainMessage(error.message, file.name)} />
              </p>
              {error.advice && <p className="text-muted-foreground">{error.advice}</p>}
            </div>
            <Button
              variant="ghost"
              size="sm"
              aria-disabled={isOpen}
              onClick={() => !isOpen && onRetry([index])}
            >
              Retry
              <span className="sr-only"> {path}</span>
            </Button>
          </li>
        ))}
      </ul>
      {shown.length < failed.length && (
        <Button variant="outline" size="sm" className="w-fit" onClick={() => setComplete(true)}>
          Show all {failed.length}
        </Button>
      )}
    </section>
  );
}
