import { JobError, type JobErrorCode } from "#lib/errors.ts";
import type { OperationContext } from "../../define.ts";

/** What the inspectors of each kind of file share. */

/** Figures of a file by their name in the result. JSON only. */
export type Figures = Record<string, unknown>;

export type Inspection = Pick<
  OperationContext<Record<string, unknown>>,
  "input" | "work" | "signal"
>;

/** Whoever asks what a file is wants to hear this too, rather than that the job failed. */
const tellableProblems: readonly JobErrorCode[] = [
  "corrupt",
  "encrypted",
  "unsupported_type",
  "too_complex",
  "timed_out",
];

/** The outcome of `reading`, or the code of what is wrong with the file. Other errors pass. */
export async function attempt<Value>(
  reading: Promise<Value>,
): Promise<{ value?: Value; problem?: JobErrorCode }> {
  try {
    return { value: await reading };
  } catch (error) {
    if (!(error instanceof JobError) || !tellableProblems.includes(error.code)) throw error;
    return { problem: error.code };
  }
}

/** `figures` without what is not known. */
export function known(figures: Figures): Figures {
  return Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== undefined));
}

/** What is said of a file that is known by its type alone. */
export function unreadable(problem: JobErrorCode | undefined): Figures {
  if (!problem) return {};
  return { readable: false, problem, ...(problem === "encrypted" ? { encrypted: true } : {}) };
}

/** The most text that a result carries in tags, all of them together, in characters. */
const maxTagText = 64 * 1024;
const maxValueLength = 2000;

/**
 * Keeps tags, whose names and values are a stranger's words, within bounds: each returned call takes
 * from the same amount. Values longer than 2,000 characters are cut; what no longer fits is left out.
 */
export function createTagKeeper(): (tags: Iterable<readonly [string, unknown]>) => Figures {
  let left = maxTagText;
  return (tags) => {
    const kept = new Map<string, unknown>();
    for (const [name, value] of tags) {
      if (!/^[\w :.()/-]{1,100}$/.test(name) || name === "__proto__") continue;
      const cut = typeof value === "string" ? value.slice(0, maxValueLength).toWellFormed() : value;
      left -= name.length + (JSON.stringify(cut)?.length ?? 0);
      if (left < 0) break;
      kept.set(name, cut);
    }
    return Object.fromEntries(kept);
  };
}
