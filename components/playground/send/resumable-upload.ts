import { sendBody } from "./send-body.ts";

/** Files from this size on go on after a lost connection, and after the page was loaded again. */
export const resumableBytes = 50_000_000;

/** What the service answers to a request for an upload by tus or in parts. */
export interface ResumableUpload {
  readonly id: string;
  readonly expires_at: string;
  readonly url?: string;
  readonly part_bytes?: number;
  readonly parts?: readonly { readonly number: number; readonly url: string }[];
  readonly complete_url?: string;
}

/** An unfinished upload as the browser remembers it, with the numbers of the parts that have arrived. */
interface Remembered {
  readonly upload: ResumableUpload;
  readonly done: readonly number[];
}

type Sent = "sent" | "aborted" | "lost" | "gone";

/** Milliseconds before each further attempt: more than a service takes to restart. */
const retryDelays = [500, 1000, 2000, 4000, 8000, 8000, 8000, 8000];

const keyOf = (path: string, { name, size, lastModified }: File) =>
  `mediamill-upload ${path} ${name} ${size} ${lastModified}`;

/** What was begun of this file before, unless it has expired. */
export function findUnfinished(path: string, file: File): Remembered | undefined {
  try {
    const text = localStorage.getItem(keyOf(path, file));
    const found = text === null ? undefined : (JSON.parse(text) as Remembered); // only `remember` writes it
    return found && Date.parse(found.upload.expires_at) > Date.now() ? found : undefined;
  } catch {
    // The browser keeps nothing for this page: the upload begins again.
    return undefined;
  }
}

function remember(path: string, file: File, unfinished: Remembered | undefined): void {
  try {
    if (unfinished) localStorage.setItem(keyOf(path, file), JSON.stringify(unfinished));
    else localStorage.removeItem(keyOf(path, file));
  } catch {
    // A full or forbidden storage costs only the resumption after the page was closed.
  }
}

/** Sends what is missing of a file. `gone`: the service has deleted the upload. */
export async function sendResumable(
  path: string,
  file: File,
  unfinished: Remembered,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<Sent> {
  remember(path, file, unfinished);
  const { upload } = unfinished;
  const sent = upload.parts
    ? await sendParts(path, file, unfinished, signal, onSent)
    : await sendByTus(file, upload.url ?? "", signal, onSent);
  if (sent === "sent" || sent === "gone") remember(path, file, undefined);
  return sent;
}

async function sendByTus(
  file: File,
  uploadUrl: string,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<Sent> {
  const { DetailedError, Upload } = await import("tus-js-client");
  if (signal.aborted) return "aborted";
  const { promise, resolve } = Promise.withResolvers<Sent>();
  const upload = new Upload(file, {
    uploadUrl,
    retryDelays,
    storeFingerprintForResuming: false,
    onProgress: onSent,
    onSuccess: () => resolve("sent"),
    onError: (error) => {
      const status = error instanceof DetailedError ? error.originalResponse?.getStatus() : 0;
      resolve(status === 403 || status === 404 || status === 410 ? "gone" : "lost");
    },
  });
  signal.addEventListener("abort", () => {
    void upload.abort();
    resolve("aborted");
  });
  upload.start();
  return promise;
}

async function sendParts(
  path: string,
  file: File,
  { upload, done }: Remembered,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<Sent> {
  const { parts = [], part_bytes: partBytes = 1, complete_url: completeUrl = "" } = upload;
  const arrived = new Set(done);
  let sentBytes = 0;
  for (const { number, url } of parts) {
    const body = file.slice((number - 1) * partBytes, number * partBytes);
    const report = (bytes: number) => onSent(sentBytes + bytes);
    const sent = arrived.has(number)
      ? "sent"
      : await persist({ method: "PUT", url, body }, signal, report);
    if (sent !== "sent") return sent;
    sentBytes += body.size;
    onSent(sentBytes);
    arrived.add(number);
    remember(path, file, { upload, done: [...arrived] });
  }
  return persist({ method: "POST", url: completeUrl, body: new Blob() }, signal, () => {});
}

/** Sends a request until it succeeds, or too often. */
async function persist(
  request: Parameters<typeof sendBody>[0],
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<Sent> {
  for (const delay of [...retryDelays, undefined]) {
    const sent = await sendBody(request, signal, onSent);
    if (sent === "aborted") return "aborted";
    if (sent !== "lost" && sent.status < 300) return "sent";
    if (sent !== "lost" && [403, 404, 410].includes(sent.status)) return "gone";
    if (delay !== undefined) await new Promise((resolve) => setTimeout(resolve, delay));
  }
  return "lost";
}
