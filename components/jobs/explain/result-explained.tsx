"use client";

import type { JobDetails } from "#lib/jobs/view/details.ts";
import { resultFacts, singleFiles } from "./result-facts.ts";
import { useMediaSize } from "./use-media-size.ts";

/** What a completed job has changed: size, dimensions, duration, loudness. Nothing if that is not known. */
export function ResultExplained({ details }: { details: JobDetails }) {
  const files = singleFiles(details);
  const { width, duration } = files?.output ?? {};
  const isMeasured = width !== undefined || duration !== undefined;
  const before = useMediaSize(isMeasured ? files?.input.url : null, files?.input.contentType);
  const facts = resultFacts(details, before);
  if (facts.length === 0) return null;
  return (
    <dl
      aria-label="What has changed"
      className="mb-6 grid gap-x-8 gap-y-3 rounded-lg border bg-secondary/40 p-4 text-sm sm:grid-cols-2"
    >
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-xs text-muted-foreground">{name}</dt>
          <dd className="break-words tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
