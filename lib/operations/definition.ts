import type { z } from "zod";
import type { VectorSize } from "#lib/engines/image/vector-size.ts";
import type { EngineName } from "#lib/engines/sandbox/failures/errors.ts";
import type { OperationContext, OperationResult, ResultOf } from "#lib/engines/worker/operation.ts";
import type { MediaTypeId } from "#lib/media/types.ts";

/** The groups of operations in the order of the catalogue. */
export const operationGroups = ["document", "image", "video", "audio", "pipeline"] as const;
export type OperationGroup = (typeof operationGroups)[number];

/**
 * A further file of an operation. A request has either the parameter `<part>_url` or, in multipart, a
 * file part named `<part>`.
 */
export interface FilePart {
  readonly accepts: readonly MediaTypeId[];
  readonly required: boolean;
  /** The optional parameter that the file stands in for: a request has one of both. */
  readonly insteadOf?: string;
  readonly description: string;
  /** It is deleted when the job ends, and cannot be downloaded. All parts of this name are secret. */
  readonly secret?: true;
}

/** The request that `npm run samples` sends. The site shows its files and its job. */
export interface OperationSample<Params> {
  /** The name of a file in `public/samples/inputs`. */
  readonly input?: string;
  /** The names of the files of an operation that takes several, in order. */
  readonly inputs?: readonly string[];
  /** The parameters; by default those of `example`. */
  readonly params?: Params;
  /** The name of a file in `public/samples/inputs` for each further file. */
  readonly files?: Readonly<Record<string, string>>;
  /** What the site shows of both files: by default the files, or the tags that exiftool reads. */
  readonly shows?: "tags";
}

/** A request for an input that is given by URL. */
export interface InputRequest {
  readonly url: URL;
  /** The URL that the client gave, before redirects. */
  readonly requested: URL;
  /**
   * Whether the host may get credentials: false after a redirect to another host, or from https to
   * http. They are dropped then.
   */
  readonly isTrusted: boolean;
}

type Params<Shape extends z.ZodRawShape> = z.ZodObject<Shape, z.core.$strict>;

export interface OperationDefinition<
  Shape extends z.ZodRawShape = z.ZodRawShape,
  Result extends z.ZodType = z.ZodType,
> {
  /** The path under `/v1`, such as `image/sharpen`, which is also the path of its folder. */
  readonly id: `${OperationGroup}/${string}`;
  /** Its name in menus and headings, such as `Sharpen`. */
  readonly title: string;
  /** What it does, in one line that ends with a period. */
  readonly summary: string;
  /** Types of the input, as detected from its content; none if the operation takes no file. */
  readonly accepts: readonly MediaTypeId[];
  /** How many files a request has. By default one; `{ min: 0, max: 0 }` if the operation takes none. */
  readonly inputs?: { readonly min: number; readonly max: number };
  /**
   * The parameters as a strict object, so that an unknown parameter is an error. Each has a
   * description; `.meta()` also takes a `control` and a `unit`. The `<part>_url` of `files` is not
   * among them.
   */
  readonly params: Params<Shape>;
  readonly files?: Readonly<Record<string, FilePart>>;
  /** Parameters that are valid for a file of any accepted type; shown in the API documents. */
  readonly example: z.input<Params<Shape>>;
  readonly sample: OperationSample<z.input<Params<Shape>>>;
  /** The type of the first output. Chains are checked with it before they start. */
  readonly produces: (type: MediaTypeId, params: z.output<Params<Shape>>) => MediaTypeId;
  /**
   * The data that `run` returns as the job's `result`, if it returns any; strict objects. Their fields
   * have descriptions where their names do not say it all. Optional if only some jobs have a result.
   */
  readonly result?: Result;
  /**
   * Why a file of an accepted type cannot be processed with these parameters: a message, or undefined if
   * it can. The request is rejected if the type is known by then, otherwise the job fails. `index` is that
   * of the file among the inputs.
   */
  readonly rejects?: (
    type: MediaTypeId,
    params: z.output<Params<Shape>>,
    index: number,
  ) => string | undefined;
  /**
   * Whether it needs only parts of a video or audio file: `run` reads its input with ffmpeg and ffprobe
   * alone while `input.partial` is set. Then a file by URL is not fetched as a whole if its server
   * supports ranges.
   */
  readonly partial?: true;
  /**
   * Whether `run` gets each input as it was sent. By default, files of a type that cannot be written,
   * such as HEIC or AIFF, are converted first; see `importFile`.
   */
  readonly keepsInput?: true;
  /** The least size at which drawings (SVG) are made for `run`; by default their own size. */
  readonly drawingSize?: (params: z.output<Params<Shape>>) => VectorSize;
  /**
   * Whether it reads images with `openImage` only and writes them with the functions of
   * lib/engines/image/save.ts; `reads`: only the former. In a chain, the pixels between two such
   * operations are not encoded.
   */
  readonly chainsPixels?: true | "reads";
  /**
   * What of a video or document a live preview shows, if one `frame` or `page` shows what the operation does. Images
   * need no mark.
   */
  readonly live?: "frame" | "page";
  /**
   * Where `run` is executed. `worker`: it uses sharp, in a sandboxed process. `runner`: it starts
   * engines.
   */
  readonly runsIn: "worker" | "runner";
  /** Engines without which it cannot run. If one is missing, the response is 503. */
  readonly requires: readonly EngineName[];
  /** Optional settings of the operator that it needs. If one is unset, the response is 503. */
  readonly variables?: readonly OperatorVariable[];
  /** Headers of the request for an input that is given by URL. By default no additional ones. */
  readonly inputHeaders?: (
    params: z.output<Params<Shape>>,
    request: InputRequest,
  ) => Record<string, string> | Promise<Record<string, string>>;
  readonly run: (
    context: OperationContext<z.output<Params<Shape>>>,
  ) => Promise<ResultOf<z.input<NoInfer<Result>>>>;
}

/** Environment variables that name a server of the operator. */
export type OperatorVariable = "TRANSCRIBE_URL";

/** A catalogue entry, whose parameters' type is no longer known. */
export interface Operation
  extends Omit<
    OperationDefinition,
    | "run"
    | "params"
    | "example"
    | "sample"
    | "produces"
    | "inputs"
    | "drawingSize"
    | "inputHeaders"
    | "rejects"
  > {
  readonly group: OperationGroup;
  readonly params: z.ZodObject<z.ZodRawShape, z.core.$strict>;
  readonly example: Record<string, unknown>;
  readonly inputs: { readonly min: number; readonly max: number };
  readonly sample: Required<Omit<OperationSample<Record<string, unknown>>, "shows" | "input">> &
    Pick<OperationSample<unknown>, "shows">;
  readonly produces: (type: MediaTypeId, params: Record<string, unknown>) => MediaTypeId;
  readonly rejects?: (
    type: MediaTypeId,
    params: Record<string, unknown>,
    index: number,
  ) => string | undefined;
  readonly drawingSize?: (params: Record<string, unknown>) => VectorSize;
  readonly inputHeaders?: (
    params: Record<string, unknown>,
    request: InputRequest,
  ) => Record<string, string> | Promise<Record<string, string>>;
  readonly run: (context: OperationContext<Record<string, unknown>>) => Promise<OperationResult>;
}

/** Field names that every request has, so that no operation may have them. */
export const reservedFields: ReadonlySet<string> = new Set([
  "input",
  "inputs",
  "file",
  "webhook_url",
  "metadata",
  "output",
  "keep",
]);
