import type { ServedPreview } from "#lib/api/endpoints/live/preview.ts";

/** A request that was rejected, with the message of the service. */
export class LiveError extends Error {
  override readonly name = "LiveError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Uploads a file for previews, and returns the id of the upload. */
export async function uploadForPreview(file: File, signal: AbortSignal): Promise<string> {
  const { id, url } = await sendJson<{ id: string; url: string }>(
    "/dashboard/api/uploads",
    { filename: file.name, bytes: file.size },
    signal,
  );
  const sent = await fetch(onThisHost(url), { method: "PUT", body: file, signal });
  if (!sent.ok) throw new LiveError(sent.status, "The file could not be uploaded for the preview.");
  return id;
}

/** The URL of this service as a path, because the page may have another host name; that of a store as it is. */
function onThisHost(url: string): string {
  const { pathname, search } = new URL(url);
  return /^\/uploads\/upload_[0-9A-Za-z]{24}$/.test(pathname) ? pathname + search : url;
}

/** Previews an operation; `upload` is the id of the file, if it takes one. */
export function requestPreview(
  operation: string,
  upload: string | undefined,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ServedPreview> {
  const body = upload === undefined ? { params } : { upload, params };
  return sendJson(`/dashboard/api/live/${operation}`, body, signal);
}

async function sendJson<Body>(path: string, body: unknown, signal: AbortSignal): Promise<Body> {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  const received = await response.json();
  if (!response.ok) throw new LiveError(response.status, received.error);
  return received;
}
