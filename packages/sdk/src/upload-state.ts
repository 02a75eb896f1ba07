import { ApiError } from "./errors.ts";
import { type Http, readJson } from "./http.ts";
import type { Upload } from "./types.ts";

/** An upload of the service. What it has depends on how the file is sent. */
export interface UploadState extends Upload {
  readonly status?: "waiting" | "receiving" | "complete" | "expired";
  readonly bytes?: number;
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly part_bytes?: number;
  readonly parts?: readonly Part[];
  readonly complete_url?: string;
}

export interface Part {
  readonly number: number;
  readonly url: string;
}

export interface NewUpload {
  readonly filename: string;
  readonly bytes: number;
  readonly method?: "tus" | "multipart";
}

/** Creates an upload, or finds how far the one is that a request with the same key has created. */
export async function createUpload(
  http: Http,
  upload: NewUpload,
  signal: AbortSignal | undefined,
  key: string = crypto.randomUUID(),
): Promise<UploadState> {
  const response = await http.send("/v1/uploads", {
    method: "POST",
    signal,
    isJson: true,
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
    body: () => JSON.stringify(upload),
  });
  const created = await readJson<UploadState>(response);
  if (!response.headers.has("idempotency-replayed")) return created;
  const state = await readUpload(http, created.id, signal);
  if (state?.status !== "expired") return { ...created, ...state };
  // Its key is kept for longer. Each call finds the same upload after it.
  return createUpload(http, upload, signal, `${key.slice(0, keyLength)} ${created.id}`);
}

/** The length of a key that `deriveKey` makes. */
const keyLength = 64;

/** An idempotency key that is the same for the same `scope` and content. */
export async function deriveKey(
  scope: readonly unknown[],
  content: Blob | string,
): Promise<string> {
  const bytes = await new Blob([JSON.stringify(scope), content]).arrayBuffer();
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** How far an upload is. Undefined if the service has none with this id, or the key may not read it. */
export async function readUpload(
  http: Http,
  id: string,
  signal?: AbortSignal,
): Promise<UploadState | undefined> {
  try {
    return await http.json<UploadState>(`/v1/uploads/${id}`, { signal });
  } catch (error) {
    if (error instanceof ApiError && [403, 404].includes(error.status)) return undefined;
    throw error;
  }
}
