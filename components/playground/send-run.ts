import type { Job } from "#lib/jobs/view/job.ts";
import { isGiven, type Sources } from "./source.ts";

export interface RunRequest {
  readonly operation: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly sources: Sources;
}

/** What became of a request: its job, a refusal with its sentence and code, or nothing. */
export type RunAnswer =
  | { readonly kind: "accepted"; readonly job: Job }
  | { readonly kind: "refused"; readonly sentence: string; readonly code: string | null }
  | { readonly kind: "aborted" };

/**
 * Sends a request as whoever is signed in. `onProgress` hears how many bytes have left, which only
 * XMLHttpRequest tells.
 */
export function sendRun(
  { operation, fields, sources }: RunRequest,
  signal: AbortSignal,
  onProgress: (sent: number, total: number) => void,
): Promise<RunAnswer> {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  for (const [part, source] of Object.entries(sources)) {
    if (!isGiven(source)) continue;
    if (source.kind === "file") form.append(part, source.file, source.file.name);
    else form.append(part === "file" ? "input" : `${part}_url`, source.url.trim());
  }
  const { promise, resolve } = Promise.withResolvers<RunAnswer>();
  const request = new XMLHttpRequest();
  request.open("POST", `/dashboard/run/${operation}`);
  request.responseType = "json";
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
  request.onload = () => resolve(readAnswer(request));
  request.onerror = () => resolve(lost);
  request.onabort = () => resolve({ kind: "aborted" });
  signal.addEventListener("abort", () => request.abort(), { once: true });
  request.send(form);
  return promise;
}

const lost = {
  kind: "refused",
  sentence: "The connection broke off before there was an answer. Check it and run again.",
  code: null,
} as const;

function readAnswer(request: XMLHttpRequest): RunAnswer {
  const code = request.getResponseHeader("X-Error-Code");
  // Our own server's answer: a job, or a sentence that says why there is none.
  const answer = request.response as Job | { readonly error: string } | null;
  if (request.status < 300 && answer && "id" in answer) return { kind: "accepted", job: answer };
  const sentence = answer?.error ?? "The service did not answer. Try again in a moment.";
  return { kind: "refused", sentence, code };
}
