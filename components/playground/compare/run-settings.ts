import { followJob } from "#components/jobs/follow/follow-job.ts";
import type { ServedMeasure } from "#lib/api/endpoints/live/measure.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";
import { LiveError } from "../live/preview-api.ts";

/** How many settings run at the same time: browsers open few connections to one host. */
const concurrency = 2;

/** What became of a setting. */
export type Outcome =
  | { readonly kind: "waiting" | "running" }
  | { readonly kind: "failed"; readonly message: string }
  | {
      readonly kind: "done";
      readonly details: JobDetails;
      /** Undefined until it is measured. */
      readonly measure: ServedMeasure | undefined;
    };

/**
 * Runs an ordinary job for each setting, two at a time, then measures its output.
 *
 * @param upload the id of the uploaded file
 */
export async function runSettings(
  operation: string,
  upload: string,
  settings: readonly Readonly<Record<string, unknown>>[],
  signal: AbortSignal,
  onOutcome: (index: number, outcome: Outcome) => void,
): Promise<void> {
  const rest = settings.entries();
  async function work(): Promise<void> {
    for (const [index, params] of rest) {
      if (signal.aborted) return;
      onOutcome(index, { kind: "running" });
      try {
        const id = await startJob(operation, upload, params, signal);
        const details = await followJob(id, signal);
        if (!details) throw new LiveError(404, "The job does not exist any more.");
        if (details.job.status !== "completed") {
          const message = details.job.error ?? `The job was ${details.job.status}.`;
          onOutcome(index, { kind: "failed", message });
          continue;
        }
        onOutcome(index, { kind: "done", details, measure: undefined });
        const measure = await measureJob(id, signal);
        onOutcome(index, { kind: "done", details, measure });
      } catch (error) {
        if (signal.aborted) return;
        const message = error instanceof LiveError ? error.message : "The connection was lost.";
        onOutcome(index, { kind: "failed", message });
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work));
}

/** Creates a job; waits for the next minute if the plan allows no more in this one. */
async function startJob(
  operation: string,
  upload: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<string> {
  for (;;) {
    const response = await fetch(`/dashboard/api/run/${operation}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...params, input: upload }),
      signal,
    });
    const body = await response.json();
    if (response.ok) return body.id;
    const seconds = Number(response.headers.get("Retry-After"));
    if (response.status !== 429 || !seconds || seconds > 90) {
      throw new LiveError(response.status, body.error);
    }
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    signal.throwIfAborted();
  }
}

/** Nothing is measured if no engine is free for it: the result is there all the same. */
async function measureJob(id: string, signal: AbortSignal): Promise<ServedMeasure> {
  const response = await fetch(`/dashboard/api/jobs/${id}/measure`, { method: "POST", signal });
  return response.ok ? response.json() : { ssim: null, lufs: null };
}
