"use client";

import { useState } from "react";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import { estimateLeft } from "./estimate-left.ts";

/** The milliseconds until a job is done; undefined if that is not known. `now` is in milliseconds since 1970. */
export function useTimeLeft(
  details: Pick<JobDetails, "job" | "phases">,
  now: number,
): number | undefined {
  const { progress } = details.job;
  const [reported, setReported] = useState({ percent: progress, at: now });
  // The time of the last report is kept, because progress comes in steps.
  if (reported.percent !== progress) setReported({ percent: progress, at: now });
  return estimateLeft(details, reported, now);
}
