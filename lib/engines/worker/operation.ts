import type { MediaType } from "#lib/media/types.ts";
import type { JpegChange } from "../jpegtran/jpeg-change.ts";
import type { WorkFile, WorkFolder } from "../sandbox/work-folder.ts";

/** What an operation reads and returns, in the runner and in a sandboxed worker. */

/** An input file in the work folder of the job. Its type was detected by its content. */
export interface InputFile extends WorkFile {
  readonly type: MediaType;
  readonly bytes: number;
  /** The client's file name, for titles and output names, never for paths. */
  readonly filename: string;
  /** The URL that it was fetched from, after redirects; absent for uploads. */
  readonly url?: string;
  /** The URL before redirects, if they led to another one. */
  readonly requestedUrl?: string;
  /** The `charset` that the server declared. */
  readonly charset?: string;
  /**
   * SHA-256 in hex; absent for a file at a URL that is read in part, for one that a client sent to the
   * object store, and for the output of a chain's earlier operation.
   */
  readonly sha256?: string;
}

/** What follows the input's name in that of an output, with its dash: `-poster`. */
export type Suffix = `-${string}`;

/** An output file of a job. Dimensions in pixels, duration in seconds. */
export interface OutputFile extends WorkFile {
  readonly width?: number;
  readonly height?: number;
  readonly duration?: number;
  readonly pages?: number;
  /**
   * The text that is appended to the input's name, as in `video-poster.jpg`; absent for a job's
   * only output.
   */
  readonly suffix?: Suffix;
  /** The whole file name with its extension, if it cannot be made of the input's name and `suffix`. */
  readonly filename?: string;
  /**
   * What jpegtran has still to do with the pixels of a JPEG that a worker has written. A worker
   * starts no engine.
   */
  readonly jpegChange?: JpegChange;
}

export interface OperationResult {
  readonly outputs: OutputFile[];
  /** The job's `result`; JSON only. */
  readonly result?: Readonly<Record<string, unknown>> | undefined;
  /** The job's `warnings`: what did not stop it, one sentence each. */
  readonly warnings?: readonly string[];
}

/** One operation of a chain that has run. */
export interface RanStep {
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** The file that the next operation read. Absent if it is not kept, and for the last operation. */
  readonly output?: OutputFile;
}

/** The outcome of a chain: that of its last operation, with the warnings of all. */
export interface ChainResult extends OperationResult {
  readonly steps: readonly RanStep[];
}

/** The outcome of an operation that returns files only. */
export type OperationFiles = Omit<OperationResult, "result">;

/** The outcome of an operation whose `result` is of this type. */
export type ResultOf<Result> = OperationFiles &
  (undefined extends Result
    ? { readonly result?: ReadonlyResult<Result> }
    : { readonly result: ReadonlyResult<Result> });

/** JSON that is not changed any more. */
export type ReadonlyResult<Value> = Value extends object
  ? { readonly [Key in keyof Value]: ReadonlyResult<Value[Key]> }
  : Value;

export interface OperationContext<Params> {
  /** The main file. Not set if the operation takes no file. */
  readonly input: InputFile;
  /** All files of `input` or `inputs`, in the order of the request. */
  readonly inputs: readonly InputFile[];
  /** Files in addition to the main input, by the name of their multipart part (`watermark`). */
  readonly files: Readonly<Record<string, InputFile>>;
  readonly params: Params;
  readonly work: WorkFolder;
  /**
   * A signal that is aborted when the job is canceled, exceeds its time limit, or its runner stops.
   */
  readonly signal: AbortSignal;
  /** Reports progress, 0 to 100. It may be called for every frame. */
  readonly progress: (percent: number) => void;
}

/** The inputs of a context. `input` is missing for operations that take no file, which do not read it. */
export function withMainInput(inputs: readonly InputFile[]) {
  return { inputs, input: inputs[0] as InputFile };
}

/** What a worker needs of an operation. */
export interface RunnableOperation {
  readonly id: string;
  readonly run: (context: OperationContext<Record<string, unknown>>) => Promise<OperationResult>;
}
