import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ReadableStream } from "node:stream/web";
import type { ApiClient } from "./api-client.ts";

const boundary = "large-upload";
const chunk = new Uint8Array(1024 * 1024);

/** Uploads a file of `bytes` zeros as a stream, without the whole file on disk or in memory. */
export function uploadZeros(client: ApiClient, bytes: number): Promise<Response> {
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="zeros.bin"\r\n\r\n`;
  async function* body() {
    yield Buffer.from(head);
    for (let left = bytes; left > 0; left -= chunk.length) {
      yield chunk.subarray(0, Math.min(left, chunk.length));
    }
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  return client.request("/v1/pipeline/file-inspect", {
    method: "POST",
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: ReadableStream.from(body()),
    duplex: "half",
    // The DOM's types do not include Node's stream and `duplex`.
  } as unknown as RequestInit);
}

/** Resident memory of a service in bytes; `ps` prints KiB. */
export function residentBytes(dataDir: string, service: "web" | "media" | "webhooks"): number {
  const pid = readFileSync(join(dataDir, "run", `${service}.pid`), "utf8").trim();
  return 1024 * Number(execFileSync("ps", ["-o", "rss=", "-p", pid], { encoding: "utf8" }));
}

/** The web process's resident memory before `work`, and its peak during `work`. */
export async function measureWebMemory<Result>(dataDir: string, work: () => Promise<Result>) {
  const before = residentBytes(dataDir, "web");
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentBytes(dataDir, "web"));
  }, 100);
  try {
    return { result: await work(), before, peak };
  } finally {
    clearInterval(sampling);
  }
}
