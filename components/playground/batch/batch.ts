import type { JobDetails } from "#lib/jobs/view/details.ts";
import type { DroppedFile } from "../form/dropped-files.ts";

/** Why a file of a batch has no result. */
export interface BatchError {
  readonly message: string;
  /** What to do; undefined if the message says it. */
  readonly advice?: string | undefined;
  /** Whether the same file with the same form must fail again. */
  readonly isFinal: boolean;
}

/** How far a file of a batch is. */
export type ItemState =
  | { readonly kind: "waiting" }
  | { readonly kind: "sending"; readonly percent: number }
  | { readonly kind: "running"; readonly jobId: string; readonly percent: number }
  | { readonly kind: "done"; readonly details: JobDetails }
  | { readonly kind: "failed"; readonly error: BatchError; readonly jobId?: string | undefined }
  | { readonly kind: "cancelled" };

export interface BatchItem extends DroppedFile {
  /** Its index in the batch. */
  readonly index: number;
  readonly state: ItemState;
}

export interface BatchTotals {
  readonly files: number;
  readonly done: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Files that wait or are in progress. */
  readonly open: number;
  /** The bytes of the files that are done, and of their outputs. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** The counts and sizes of a batch. */
export function totalsOf(items: readonly BatchItem[]): BatchTotals {
  const count = (kind: ItemState["kind"]) =>
    items.filter(({ state }) => state.kind === kind).length;
  const done = items.filter(({ state }) => state.kind === "done");
  const ended = { done: done.length, failed: count("failed"), cancelled: count("cancelled") };
  return {
    files: items.length,
    ...ended,
    open: items.length - ended.done - ended.failed - ended.cancelled,
    bytesBefore: done.reduce((sum, { file }) => sum + file.size, 0),
    bytesAfter: done.reduce((sum, { state }) => sum + outputBytes(state), 0),
  };
}

/** The bytes of all outputs of a file that is done; 0 for any other. */
export function outputBytes(state: ItemState): number {
  if (state.kind !== "done") return 0;
  return state.details.job.outputs.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The name of the metadata value that all jobs of a batch have, and of that with the file's path. */
export const batchMetadata = { batch: "batch", path: "path" } as const;
