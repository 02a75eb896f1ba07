import { type Attributes, isTracing, withSpan } from "#lib/tracing/spans.ts";
import { EngineError, EngineMissingError } from "./errors.ts";

/**
 * Does `work` in the span of an engine process, with how it ended. Arguments and output are not shown:
 * they contain file names and parameters. `readPeakMemory`: of all its processes together since its
 * start, in bytes; called once, after `work`.
 */
export function withEngineSpan<Result>(
  engine: string,
  attributes: Attributes,
  work: () => Promise<Result>,
  readPeakMemory: () => number | undefined,
): Promise<Result> {
  const options = { attributes: { "mediamill.engine": engine, ...attributes } };
  return withSpan(`engine ${engine}`, options, async (span) => {
    const finish = (exit: string, exitCode?: number | null) =>
      span.setAttributes({
        "mediamill.engine.exit": exit,
        "mediamill.engine.exit_code": exitCode,
        "mediamill.engine.peak_memory_bytes": isTracing() ? readPeakMemory() : undefined,
      });
    try {
      const result = await work();
      finish("success");
      return result;
    } catch (error) {
      finish(exitOf(error), error instanceof EngineError ? error.exitCode : null);
      throw error;
    }
  });
}

/** How an engine process ended; `rejected` if it works and reported an error, such as of the file. */
function exitOf(error: unknown): string {
  if (error instanceof EngineMissingError) return "missing";
  if (!(error instanceof EngineError)) return "rejected";
  if (error.timedOut) return "timed_out";
  if (error.aborted) return "aborted";
  if (error.outOfMemory) return "out_of_memory";
  if (error.outputTooLarge) return "output_too_large";
  if (error.invalidReply) return "invalid_reply";
  return error.signal ? "signal" : "error";
}
