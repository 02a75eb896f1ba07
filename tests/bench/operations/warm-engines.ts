import type { CollectedSpan } from "#tests/servers/otlp.ts";
import { waitForSpans } from "#tests/support/traces.ts";

/** The work of engines that stay warm, of which no start is recorded. */

/** What warm engines did for one job. */
export interface WarmWork {
  /** Milliseconds in which at least one of them worked. */
  readonly ms: number;
  /** The engine of each call. */
  readonly engines: readonly string[];
}

type EngineSpan = Pick<CollectedSpan, "attributes" | "startTimeUnixNano" | "endTimeUnixNano">;

/** What warm engines did, by the spans of a job. */
export function readWarmWork(spans: readonly EngineSpan[]): WarmWork {
  const calls = spans
    .filter(({ attributes }) => attributes["mediamill.engine.warm"] === true)
    .toSorted((one, other) => one.startTimeUnixNano - other.startTimeUnixNano);
  let ms = 0;
  let countedUntil = Number.NEGATIVE_INFINITY;
  for (const { startTimeUnixNano: start, endTimeUnixNano: end } of calls) {
    // Calls at the same time count once.
    ms += Math.max(0, end - Math.max(start, countedUntil));
    countedUntil = Math.max(countedUntil, end);
  }
  return { ms, engines: calls.map(({ attributes }) => String(attributes["mediamill.engine"])) };
}

/** The same for a finished job. Throws if its spans do not arrive. */
export async function readWarmWorkOfJob(
  collected: readonly CollectedSpan[],
  { id, operation }: { readonly id: string; readonly operation: string },
): Promise<WarmWork> {
  const attempt = `run ${operation}`;
  const spans = await waitForSpans(() => collected, id, attempt);
  if (!spans.some(({ name }) => name === attempt)) throw new Error(`${id} has no spans`);
  return readWarmWork(spans);
}

/** The names of warm engines in CPU times by program. */
const warmPrograms = ["image worker", "exiftool", "qpdf", "LibreOffice", "Chromium"];

/** The CPU seconds of all warm engines. */
export function sumWarmSeconds(seconds: ReadonlyMap<string, number>): number {
  return warmPrograms.reduce((sum, name) => sum + (seconds.get(name) ?? 0), 0);
}
