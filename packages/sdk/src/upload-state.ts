import { ApiError } from "./errors.ts";
import type { Http } from "./http.ts";
import type { Upload } from "./types.ts";

/** An upload of the service. What it has depends on how the file is sent. */
export interface UploadState extends Upload {
  readonly status?: "waiting" | "receiving" | "complete" | "expired";
  readonly bytes?: number;
  readonly url?: string;
  readonly part_bytes?: number;
  readonly parts?: readonly Part[];
  readonly complete_url?: string;
}

export interface Part {
  readonly number: number;
  readonly url: string;
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
