import samples from "../../public/samples/samples.json" with { type: "json" };

/** An output that the service itself made, as `npm run samples` wrote it down. */
export interface SampleOutput {
  /** Under `/samples/`. */
  readonly file: string;
  readonly content_type: string;
  readonly bytes: number;
  /** A picture of a PDF's first page, or of a frame; under `/samples/`. */
  readonly poster?: string;
  /** The loudest sample of each of 96 equal parts, 0 to 1. */
  readonly peaks?: readonly number[];
  /** EXIF, XMP and IPTC tags. */
  readonly tags?: Readonly<Record<string, unknown>>;
}

export interface Sample {
  readonly operation: string;
  readonly input: Pick<SampleOutput, "file" | "bytes" | "peaks" | "tags">;
  /** Further file parts by name, files of `/samples/inputs/`. */
  readonly files: Readonly<Record<string, string>>;
  readonly params: Readonly<Record<string, string | number>>;
  readonly outputs: readonly SampleOutput[];
  readonly result: unknown;
  /** The job as `GET /v1/jobs/{id}` answered it, `{{baseUrl}}` in place of the service's address. */
  readonly job: Readonly<Record<string, unknown>>;
  /** From the job's start to its end. */
  readonly took_ms: number;
}

// The JSON's own type is a union of every entry's; the file is ours and a test walks it.
const all = samples as unknown as readonly Sample[];

/** What the site shows of an operation; undefined where no sample was made yet. */
export function sampleOf(operationId: string): Sample | undefined {
  return all.find(({ operation }) => operation === operationId);
}

/** The address of a sample's file on this site. */
export function sampleUrl(file: string): string {
  return `/samples/${file}`;
}
