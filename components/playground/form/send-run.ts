import type { HostUploads } from "#lib/jobs/accept/host-uploads.ts";
import type { Job } from "#lib/jobs/view/job.ts";
import { type OnProgress, sendBody } from "../send/send-body.ts";
import type { RawResponse } from "./raw-response.ts";
import type { Source } from "./source.ts";
import { needUpload, uploadFiles } from "./upload-files.ts";

export interface RunRequest {
  /** The path before the operation's ID. */
  readonly path: string;
  readonly operation: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The files by part, in order. */
  readonly sources: Readonly<Record<string, readonly Source[]>>;
  /** The same form with this key creates one job, if its files need no upload of their own. */
  readonly idempotencyKey?: string;
}

/** The result of a request: its job, a rejection with its message and code, or an abort. */
export type RunResponse =
  | { readonly kind: "accepted"; readonly job: Job; readonly response: RawResponse }
  | {
      readonly kind: "rejected";
      readonly message: string;
      readonly code: string | null;
      /** The response; undefined if there was none. */
      readonly response?: RawResponse;
    }
  | { readonly kind: "aborted" };

/** Sends a request with the cookies of the page. Files that are too large for a form of this host are uploaded first. */
export async function sendRun(
  request: RunRequest,
  uploads: HostUploads,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<RunResponse> {
  const { path, sources } = request;
  if (!needUpload(sources, uploads)) return sendForm(request, signal, onProgress);
  const uploadPath = path.replace(/run$/, "uploads");
  const uploaded = await uploadFiles(uploadPath, sources, uploads, signal, onProgress);
  if (uploaded.kind !== "ready") return uploaded;
  // Each upload has another id, so a second request has other content.
  const { idempotencyKey: _key, ...form } = request;
  return sendForm({ ...form, sources: uploaded.sources }, signal, () => {});
}

async function sendForm(
  { path, operation, fields, sources, idempotencyKey }: RunRequest,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<RunResponse> {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  for (const [part, files] of Object.entries(sources)) {
    for (const source of files) {
      if (source.kind === "file") body.append(part, source.file, source.file.name);
      else body.append(part === "file" ? "input" : `${part}_url`, source.url.trim());
    }
  }
  const url = `${path}/${operation}`;
  const headers: Record<string, string> =
    idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
  const sent = await sendBody({ method: "POST", url, body, headers }, signal, onProgress);
  if (sent === "aborted") return { kind: "aborted" };
  return sent === "lost" ? connectionLost : readResponse(sent, path);
}

const connectionLost = {
  kind: "rejected",
  message: "The connection was lost. Check it and run the operation again.",
  code: null,
} as const;

function readResponse(request: XMLHttpRequest, path: string): RunResponse {
  const code = request.getResponseHeader("X-Error-Code");
  // Our own server responds with a job or an error.
  const body = request.response as Job | { readonly error: string } | null;
  const response = { status: request.status, headers: request.getAllResponseHeaders(), body };
  if (request.status < 300 && body && "id" in body)
    return { kind: "accepted", job: body, response };
  // Not from our own server, but from the host in front of it, which has a limit of its own.
  if (request.status === 413 && code === null) {
    return {
      kind: "rejected",
      message: hostLimitMessage(request, path),
      code: "too_large",
      response,
    };
  }
  const message = body?.error ?? "The service did not respond. Try again shortly.";
  return { kind: "rejected", message, code, response };
}

/** Vercel names its limit only by its code. Visitors cannot send URLs. */
function hostLimitMessage(request: XMLHttpRequest, path: string): string {
  const isVercel = request.getResponseHeader("X-Vercel-Error") !== null;
  const limit = isVercel
    ? "accepts at most 4.5 MB per request"
    : "does not accept a request so large";
  const advice = path.startsWith("/try/") ? "a smaller file" : "smaller files, or enter their URLs";
  return `This host ${limit}. Choose ${advice}.`;
}
