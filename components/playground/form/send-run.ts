import type { Job } from "#lib/jobs/view/job.ts";
import type { RawResponse } from "./raw-response.ts";
import type { Source } from "./source.ts";

export interface RunRequest {
  /** The path before the operation's ID. */
  readonly path: string;
  readonly operation: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The files by part, in order. */
  readonly sources: Readonly<Record<string, readonly Source[]>>;
}

/** The result of a request: its job, a rejection with its message and code, or an abort. */
export type RunResponse =
  | { readonly kind: "accepted"; readonly job: Job; readonly response: RawResponse }
  | {
      readonly kind: "rejected";
      readonly message: string;
      readonly code: string | null;
      /** Undefined if there was none. */
      readonly response?: RawResponse;
    }
  | { readonly kind: "aborted" };

/** Sends a request with the cookies of the page. Uses XMLHttpRequest, because `fetch` reports no upload progress. */
export function sendRun(
  { path, operation, fields, sources }: RunRequest,
  signal: AbortSignal,
  onProgress: (sent: number, total: number) => void,
): Promise<RunResponse> {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  for (const [part, files] of Object.entries(sources)) {
    for (const source of files) {
      if (source.kind === "file") form.append(part, source.file, source.file.name);
      else form.append(part === "file" ? "input" : `${part}_url`, source.url.trim());
    }
  }
  const { promise, resolve } = Promise.withResolvers<RunResponse>();
  const request = new XMLHttpRequest();
  request.open("POST", `${path}/${operation}`);
  request.responseType = "json";
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
  request.onload = () => resolve(readResponse(request));
  request.onerror = () => resolve(connectionLost);
  request.onabort = () => resolve({ kind: "aborted" });
  signal.addEventListener("abort", () => request.abort(), { once: true });
  request.send(form);
  return promise;
}

const connectionLost = {
  kind: "rejected",
  message: "The connection was lost. Check it and run the operation again.",
  code: null,
} as const;

function readResponse(request: XMLHttpRequest): RunResponse {
  const code = request.getResponseHeader("X-Error-Code");
  // Our own server responds with a job or an error.
  const body = request.response as Job | { readonly error: string } | null;
  const response = { status: request.status, headers: request.getAllResponseHeaders(), body };
  if (request.status < 300 && body && "id" in body)
    return { kind: "accepted", job: body, response };
  const message = body?.error ?? "The service did not respond. Try again shortly.";
  return { kind: "rejected", message, code, response };
}
