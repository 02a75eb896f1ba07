import { samples } from "./generated.ts";

/** An output of the service, as `npm run samples` recorded it. */
export interface SampleOutput {
  /** The path of the file under `/samples/`. */
  readonly file: string;
  readonly content_type: string;
  readonly bytes: number;
  /** An image of the first page of a PDF or of a video frame. Under `/samples/`. */
  readonly poster?: string;
  /** A smaller copy of a large picture, AVIF. Under `/samples/`. */
  readonly preview?: string;
  /** The highest absolute sample value in each of 96 equal parts, 0 to 1. */
  readonly peaks?: readonly number[];
  /** EXIF, XMP and IPTC tags. */
  readonly tags?: Readonly<Record<string, unknown>>;
  /** The start of a text file. */
  readonly text?: string;
  /** The files of an archive. */
  readonly entries?: readonly { readonly name: string; readonly bytes: number }[];
}

/** An input or an output. */
export type SampleFile = Omit<SampleOutput, "content_type">;

export interface Sample {
  readonly operation: string;
  readonly inputs: readonly SampleFile[];
  /** The name of a file in `/samples/inputs/` for each further file part. */
  readonly files: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, unknown>>;
  readonly outputs: readonly SampleOutput[];
  readonly result: unknown;
  /** The job as `GET /v1/jobs/{id}` returns it, with `{{baseUrl}}` as the URL of the service. */
  readonly job: Readonly<Record<string, unknown>>;
  /** The time from the start of the job to its end, in milliseconds. */
  readonly took_ms: number;
}

// Each JSON file has its own inferred type; `npm run samples` writes them all in this shape.
const all = samples as unknown as readonly Sample[];

/** The sample of an operation; undefined if `npm run samples` has not made it yet. */
export function findSample(operationId: string): Sample | undefined {
  return all.find(({ operation }) => operation === operationId);
}

/** The path of a sample's file on this site. */
export function sampleUrl(file: string): string {
  return `/samples/${file}`;
}
