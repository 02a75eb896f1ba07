import { once } from "node:events";
import { connect } from "node:net";
import { inject } from "vitest";
import { Client } from "./client.ts";

/** Requests written to the bare connection, for what no HTTP library would send. */

export interface RawRequest {
  readonly method?: "POST" | "PUT";
  readonly path: string;
  /** Header lines beside Host and the key; `Content-Length` is not added. */
  readonly headers: Readonly<Record<string, string>>;
  /** Written one after another. */
  readonly body: readonly (string | Uint8Array)[];
  /** Whether the client then closes its side, vanishes, or waits for the answer. */
  readonly after?: "end" | "vanish" | "wait";
  /** Whose key is sent. */
  readonly client?: Client;
}

export interface RawAnswer {
  /** 0 where there was no answer. */
  readonly status: number;
  readonly body: string;
  /** Whether the connection broke while the client was still sending or reading. */
  readonly cut: boolean;
}

/** Sends a request as it is, and reads until the connection ends or an answer is there. */
export async function postRaw(request: RawRequest): Promise<RawAnswer> {
  const { port, host } = new URL(inject("service").url);
  const client = request.client ?? new Client();
  const lines = { Host: host, "X-API-Key": client.key, ...request.headers };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), "127.0.0.1");
  let text = "";
  let cut = false;
  socket.on("error", () => {
    cut = true;
  });
  const answered = new Promise<void>((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (isWhole(text)) resolve();
    });
    socket.on("close", () => resolve());
  });
  await once(socket, "connect");
  for (const chunk of [
    `${request.method ?? "POST"} ${request.path} HTTP/1.1\r\n${head.join("")}\r\n`,
    ...request.body,
  ]) {
    if (!socket.destroyed) await new Promise((resolve) => socket.write(chunk, resolve));
  }
  if (request.after === "end") socket.end();
  if (request.after === "vanish") {
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
  }
  await answered;
  socket.destroy();
  const [firstHead = "", ...rest] = text.split("\r\n\r\n");
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(firstHead)?.[1] ?? 0),
    body: rest.join("\r\n\r\n"),
    cut,
  };
}

/** Whether the first answer has come with all of its body. */
function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  if (end < 0) return false;
  const body = text.slice(end + 4);
  return length === undefined ? body.includes("\r\n0\r\n") : body.length >= Number(length);
}
