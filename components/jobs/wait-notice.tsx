"use client";

import { useEffect, useState } from "react";
import type { RunnersStatus } from "#lib/jobs/status/runners-status.ts";

/** A shorter wait needs no explanation. */
const firstMs = 3000;
const intervalMs = 5000;

/** Says why a job waits, if no runner is connected. It asks only when the job has waited for some seconds. */
export function WaitNotice() {
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    const ask = async () => {
      const runners = await readRunners();
      if (runners) setMissing(runners.state === "missing");
    };
    let repeated: ReturnType<typeof setInterval> | undefined;
    const first = setTimeout(() => {
      void ask();
      repeated = setInterval(() => void ask(), intervalMs);
    }, firstMs);
    return () => {
      clearTimeout(first);
      clearInterval(repeated);
    };
  }, []);
  return (
    <p role="status" className="text-sm text-muted-foreground empty:hidden">
      {isMissing && "No runner is connected. The job is safe and starts by itself."}
    </p>
  );
}

/** Undefined if the service does not respond: then there is nothing to say. */
async function readRunners(): Promise<RunnersStatus | undefined> {
  try {
    const response = await fetch("/status.json");
    return response.ok
      ? ((await response.json()) as { runners: RunnersStatus }).runners
      : undefined;
  } catch {
    return undefined;
  }
}
