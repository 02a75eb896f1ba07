/** A file of a request: on the caller's own disk, or at an address. */
export type SnippetFile = { readonly file: string } | { readonly url: string };

export interface SnippetRequest {
  /** An operation's id such as `image/sharpen`, or `chain` with `operations` in `params`. */
  readonly operation: string;
  /** The fields of the request as JSON has them; `webhook_url` and `metadata` may be among them. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly input: SnippetFile;
  /** Files beside the input, by part: `watermark`. */
  readonly files?: Readonly<Record<string, SnippetFile>>;
  /** Of the service, without a slash at its end. */
  readonly baseUrl: string;
}

/** A request as it is sent: files under their parts, everything else as fields. */
export interface Call {
  readonly baseUrl: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Paths on the caller's disk, by part; none: the request is JSON. */
  readonly files: Readonly<Record<string, string>>;
}

/** Which file is a part of the form and which is named in a field. */
export function readCall({
  operation,
  params,
  input,
  files: further = {},
  baseUrl,
}: SnippetRequest): Call {
  const fields: Record<string, unknown> = {};
  const files: Record<string, string> = {};
  if ("url" in input) fields.input = input.url;
  else files.file = input.file;
  for (const [part, source] of Object.entries(further)) {
    if ("url" in source) fields[`${part}_url`] = source.url;
    else files[part] = source.file;
  }
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== null) fields[name] = value;
  }
  const path = operation === "chain" ? "/v1/jobs" : `/v1/${operation}`;
  return { baseUrl, path, fields, files };
}

/** A field's value as a form has it: text as it is, everything else as JSON. */
export function formText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
