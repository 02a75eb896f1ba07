import { AsyncLocalStorage } from "node:async_hooks";
import { withSpan } from "./tracing/spans.ts";

/** How long the steps of one piece of work took, in milliseconds by name, for the log and benchmarks. */
export type Timings = Record<string, number>;

const current = new AsyncLocalStorage<Timings>();

/** Runs `work` and adds the steps that `timeStep` measures in it to `timings`. */
export function collectTimings<Result>(
  timings: Timings,
  work: () => Promise<Result>,
): Promise<Result> {
  return current.run(timings, work);
}

/**
 * Runs a step and adds its time to the timings of the current work, if there are any. Steps of the
 * same name are summed; a step may contain others.
 */
export async function timeStep<Result>(name: string, step: () => Promise<Result>): Promise<Result> {
  const timings = current.getStore();
  if (!timings) return step();
  const startedAt = performance.now();
  try {
    return await step();
  } finally {
    timings[name] = (timings[name] ?? 0) + performance.now() - startedAt;
  }
}

/** The same for a step that is worth a span of its own in traced work. */
export function traceStep<Result>(name: string, step: () => Promise<Result>): Promise<Result> {
  return withSpan(name, {}, () => timeStep(name, step));
}
