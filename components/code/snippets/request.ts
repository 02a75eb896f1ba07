/** A file of a request: a path on the caller's disk, or a URL. */
export type SnippetFile = { readonly file: string } | { readonly url: string };

export interface SnippetRequest {
  /** An operation ID such as `image/sharpen`, or `chain` with `operations` in `params`. */
  readonly operation: string;
  /** The request's fields as JSON values, including `webhook_url` and `metadata`. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The file of an operation that takes one. */
  readonly input?: SnippetFile;
  /** The files, in order, of an operation that takes several. */
  readonly inputs?: readonly SnippetFile[];
  /** Additional files by part name, such as `watermark`. */
  readonly files?: Readonly<Record<string, SnippetFile>>;
  /** The service's URL, without a trailing slash. */
  readonly baseUrl: string;
}

/** Files as the field of a request that the operation has for them. */
export function snippetInputs(
  { inputs: { max } }: { readonly inputs: { readonly max: number } },
  files: readonly SnippetFile[],
): Pick<SnippetRequest, "input" | "inputs"> {
  if (max === 0) return {};
  return max === 1 ? { input: files[0] ?? { file: "input" } } : { inputs: files };
}

/** A request as it is sent: its files in order, then other values as fields. */
export interface Call {
  readonly baseUrl: string;
  /** An operation ID, or `chain`. */
  readonly operation: string;
  readonly path: string;
  readonly files: readonly CallFile[];
  /** Whether `files` are the list `inputs` in JSON, apart from additional files. */
  readonly hasInputList: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether a file is on the caller's disk. Otherwise the request is JSON. */
  readonly isForm: boolean;
}

/** A file of a call. */
export interface CallFile {
  /** The name of the form part: `file`, or that of an additional file. */
  readonly part: string;
  /** The name of the field for a URL: `input`, or that of an additional file. */
  readonly urlField: string;
  readonly source: SnippetFile;
}

/** The request as it is sent. Fields without a value are left out. */
export function toCall(request: SnippetRequest): Call {
  const { operation, params, input, inputs, files: additionalFiles = {}, baseUrl } = request;
  const main = inputs ?? (input ? [input] : []);
  const files = [
    ...main.map((source) => ({ part: "file", urlField: "input", source })),
    ...Object.entries(additionalFiles).map(([part, source]) => ({
      part,
      urlField: `${part}_url`,
      source,
    })),
  ];
  const fields = Object.entries(params).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return {
    baseUrl,
    operation,
    path: operation === "chain" ? "/v1/jobs" : `/v1/${operation}`,
    files,
    hasInputList: inputs !== undefined,
    fields: Object.fromEntries(fields),
    isForm: files.some(({ source }) => "file" in source),
  };
}

/** The files as arguments of a client: `input` or `inputs`, and further files by what `nameOf` calls them. */
export function toArguments(
  { files, hasInputList }: Call,
  writeFile: (file: CallFile) => unknown,
  nameOf: (file: CallFile) => string,
): Record<string, unknown> {
  const isMain = ({ urlField }: CallFile) => urlField === "input";
  const main = files.filter(isMain).map(writeFile);
  const others = files.filter((file) => !isMain(file));
  return {
    ...(hasInputList ? { inputs: main } : main.length > 0 ? { input: main[0] } : {}),
    ...Object.fromEntries(others.map((file) => [nameOf(file), writeFile(file)])),
  };
}

/** The body as JSON: a file is what `writeFile` makes of its path, or its URL. */
export function toJsonBody(
  { files, hasInputList, fields }: Call,
  writeFile: (path: string) => unknown,
): Record<string, unknown> {
  const named = files.map(({ urlField, source }) => ({
    name: urlField,
    value: "url" in source ? source.url : writeFile(source.file),
  }));
  const isListed = ({ name }: { name: string }) => hasInputList && name === "input";
  const single = named.filter((file) => !isListed(file)).map(({ name, value }) => [name, value]);
  const inputs = named.filter(isListed).map(({ value }) => value);
  return { ...(hasInputList ? { inputs } : {}), ...Object.fromEntries(single), ...fields };
}

/** A field's value in a form: strings unchanged, other values as JSON. */
export function formText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
