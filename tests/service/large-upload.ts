import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ReadableStream } from "node:stream/web";
import type { ApiClient } from "./api-client.ts";

const boundary = "large-upload";
const chunk = new Uint8Array(1024 * 1024);

/** Uploads a file of `bytes` zeros that is nowhere whole: neither on this side's disk nor in its memory. */
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
    // Node's stream and its `duplex` are unknown to the DOM's types.
  } as unknown as RequestInit);
}

/** Bytes of memory that a part of the service holds: `ps` tells KiB. */
export function residentBytes(dataDir: string, part: "web" | "media" | "webhooks"): number {
  const pid = readFileSync(join(dataDir, "run", `${part}.pid`), "utf8").trim();
  return 1024 * Number(execFileSync("ps", ["-o", "rss=", "-p", pid], { encoding: "utf8" }));
}

/** The most that the web process held before and while `work` ran. */
export async function watchWeb<Result>(dataDir: string, work: () => Promise<Result>) {
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
