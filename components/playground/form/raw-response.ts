/** A response as the browser got it. */
export interface RawResponse {
  readonly status: number;
  /** The lines of the headers. */
  readonly headers: string;
  /** The parsed JSON. */
  readonly body: unknown;
}

/** A response as HTTP text, with indented JSON. */
export function writeResponse({ status, headers, body }: RawResponse): string {
  const lines = headers.split(/\r?\n/).filter(Boolean).toSorted();
  return [`HTTP/1.1 ${status}`, ...lines, "", JSON.stringify(body, null, 2)].join("\n");
}
