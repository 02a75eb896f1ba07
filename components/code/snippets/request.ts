/** A file of a request: a path on the caller's disk, or a URL. */
export type SnippetFile = { readonly file: string } | { readonly url: string };

export interface SnippetRequest {
  /** An operation ID such as `image/sharpen`, or `chain` with `operations` in `params`. */
  readonly operation: string;
  /** The request's fields as JSON values, including `webhook_url` and `metadata`. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly input: SnippetFile;
  /** Additional files by part name, such as `watermark`. */
  readonly files?: Readonly<Record<string, SnippetFile>>;
  /** The service's URL, without a trailing slash. */
  readonly baseUrl: string;
}

/** A request as it is sent: files by part name, other values as fields. */
export interface Call {
  readonly baseUrl: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Paths on the caller's disk by part name. If empty, the request is JSON. */
  readonly files: Readonly<Record<string, string>>;
}

/** Separates files on disk, which become form parts, from URLs, which become fields. */
export function toCall({
  operation,
  params,
  input,
  files: additionalFiles = {},
  baseUrl,
}: SnippetRequest): Call {
  const fields: Record<string, unknown> = {};
  const files: Record<string, string> = {};
  if ("url" in input) fields.input = input.url;
  else files.file = input.file;
  for (const [part, source] of Object.entries(additionalFiles)) {
    if ("url" in source) fields[`${part}_url`] = source.url;
    else files[part] = source.file;
  }
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null) fields[name] = value;
  }
  const path = operation === "chain" ? "/v1/jobs" : `/v1/${operation}`;
  return { baseUrl, path, fields, files };
}

/** A field's value in a form: strings unchanged, other values as JSON. */
export function formText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
