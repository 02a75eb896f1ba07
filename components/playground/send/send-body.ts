/** How far a request is: bytes that were sent, and all of them. */
export type OnProgress = (sent: number, total: number) => void;

interface SentBody {
  readonly method: "POST" | "PUT";
  readonly url: string;
  readonly body: FormData | Blob;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Why there is no response: the connection was lost, or the signal was aborted. */
type NoResponse = "lost" | "aborted";

/**
 * Sends a body, to this host with the cookies of the page. Uses XMLHttpRequest, because `fetch` reports no
 * upload progress.
 */
export function sendBody(
  { method, url, body, headers = {} }: SentBody,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<XMLHttpRequest | NoResponse> {
  const { promise, resolve } = Promise.withResolvers<XMLHttpRequest | NoResponse>();
  if (signal.aborted) return Promise.resolve("aborted");
  const request = new XMLHttpRequest();
  request.open(method, url);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  // The service responds with JSON. Of other responses, such as those of a proxy, only the status is read.
  request.responseType = "json";
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
  request.onload = () => resolve(request);
  request.onerror = () => resolve("lost");
  request.onabort = () => resolve("aborted");
  signal.addEventListener("abort", () => request.abort(), { once: true });
  request.send(body);
  return promise;
}
