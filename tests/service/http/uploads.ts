import { createHash, randomFillSync } from "node:crypto";
import type { ApiClient } from "./api-client.ts";

/** Requests of uploads, as the tests of tus and of parts send them. */

export interface CreatedUpload {
  readonly id: string;
  readonly url: string;
}

/** An upload in parts. */
export interface Multipart {
  readonly id: string;
  readonly part_bytes: number;
  readonly parts: readonly { readonly number: number; readonly url: string }[];
  readonly complete_url: string;
  readonly abort_url: string;
}

export interface UploadState {
  readonly status: "waiting" | "receiving" | "complete" | "expired";
  readonly bytes_received: number;
  readonly url?: string;
}

export const tus = { "tus-resumable": "1.0.0" };

export async function createUpload<Created = CreatedUpload>(
  client: ApiClient,
  fields: { bytes: number; filename?: string; method: "put" | "tus" | "multipart" },
): Promise<Created> {
  const response = await client.postJson("/v1/uploads", { filename: "file.bin", ...fields });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`${response.status}: ${text}`);
  return JSON.parse(text) as Created;
}

export async function readUpload(client: ApiClient, id: string): Promise<UploadState> {
  const response = await client.request(`/v1/uploads/${id}`);
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as UploadState;
}

/** Sends bytes from `offset`. */
export function patch(
  url: string,
  offset: number,
  body: BodyInit,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, {
    method: "PATCH",
    headers: {
      ...tus,
      "content-type": "application/offset+octet-stream",
      "upload-offset": String(offset),
      ...headers,
    },
    body,
    ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
  });
}

/** Sends a body by PUT. Its second half follows only when `finish` is called. */
export function putHalf(url: string, content: Uint8Array) {
  const finishing = Promise.withResolvers<void>();
  const half = content.length / 2;
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(content.subarray(0, half)),
    async pull(controller) {
      await finishing.promise;
      controller.enqueue(content.subarray(half));
      controller.close();
    },
  });
  const init = { method: "PUT", body, duplex: "half" };
  return { response: fetch(url, init), finish: () => finishing.resolve() };
}

/** The offset that the service reports. */
export async function readOffset(url: string): Promise<number> {
  const response = await fetch(url, { method: "HEAD", headers: tus });
  if (response.status !== 200) throw new Error(`HEAD: ${response.status}`);
  return Number(response.headers.get("upload-offset"));
}

/** The SHA-256 of what a job gets from an upload. */
export async function sha256OfUpload(client: ApiClient, id: string): Promise<unknown> {
  const response = await client.postJson("/v1/pipeline/file-inspect", { input: id });
  const { status, result } = await client.finish(response);
  return status === "completed" ? (result as { sha256: string }).sha256 : status;
}

export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Bytes without repetition, so that a hole or a piece in the wrong place is found. */
export function uniqueBytes(length: number): Buffer<ArrayBuffer> {
  return randomFillSync(Buffer.alloc(length));
}
