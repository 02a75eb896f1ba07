import type { MediaType } from "#lib/media/types.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";

/** What an operation reads and returns, wherever it runs: in the runner or in a sandboxed worker. */

/** A file that a job reads, already in its work folder, its type known by its content. */
export interface InputFile extends WorkFile {
  readonly type: MediaType;
  readonly bytes: number;
  /** What the client called it; for titles and the outputs' names, never for paths. */
  readonly filename: string;
  /** The address it came from, after redirects; absent for uploads. */
  readonly url?: string;
  /** The `charset` that the server it came from declared. */
  readonly charset?: string;
}

/** A file that a job made. Dimensions in pixels, duration in seconds. */
export interface OutputFile extends WorkFile {
  readonly width?: number;
  readonly height?: number;
  readonly duration?: number;
  readonly pages?: number;
  /** Added to the input's name, as in `film-poster.jpg`; none for a job's only file. */
  readonly suffix?: string;
}

export interface OperationResult {
  readonly outputs: OutputFile[];
  /** Data for the job's `result`; JSON only. */
  readonly result?: Record<string, unknown>;
}

export interface OperationContext<Params> {
  readonly input: InputFile;
  /** Files beside the main one, by the part's name (`watermark`). */
  readonly files: Readonly<Record<string, InputFile>>;
  readonly params: Params;
  readonly work: WorkFolder;
  /** Aborted when the job is cancelled, runs out of time or its runner stops. */
  readonly signal: AbortSignal;
  /** Tells how far the work is, 0 to 100. Cheap: may be called for every frame. */
  readonly progress: (percent: number) => void;
}

/** What a worker needs of an operation, loaded from the operation's own module. */
export interface RunnableOperation {
  readonly id: string;
  readonly run: (context: OperationContext<Record<string, unknown>>) => Promise<OperationResult>;
}
