import { once } from "node:events";
import { connect } from "node:net";
import { inject } from "vitest";
import { Client } from "./client.ts";

/** Requests written directly to the connection, for input that no HTTP library sends. */

export interface RawRequest {
  readonly method?: "GET" | "POST" | "PUT";
  readonly path: string;
  /** Header lines in addition to Host and the key. `Content-Length` is not added. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parts of the body, which are written one after another. */
  readonly body: readonly (string | Uint8Array)[];
  /** What the client does then: end its side, destroy the connection, or wait for the response. */
  readonly after?: "end" | "disconnect" | "wait";
  /** The client whose key is sent. */
  readonly client?: Client;
}

export interface RawResponse {
  /** The status; 0 without a response. */
  readonly status: number;
  readonly body: string;
  /** Whether the connection broke while the client was still sending or reading. */
  readonly connectionBroken: boolean;
}

/** Sends a request unchanged. Reads until the response is complete or the connection ends. */
export async function postRaw(request: RawRequest): Promise<RawResponse> {
  const { port, host } = new URL(inject("service").url);
  const client = request.client ?? new Client();
  const lines = { Host: host, "X-API-Key": client.key, ...request.headers };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), "127.0.0.1");
  let text = "";
  let connectionBroken = false;
  socket.on("error", () => {
    connectionBroken = true;
  });
  const received = new Promise<void>((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (isComplete(text)) resolve();
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
  if (request.after === "disconnect") {
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
  }
  await received;
  socket.destroy();
  const [firstHead = "", ...rest] = text.split("\r\n\r\n");
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(firstHead)?.[1] ?? 0),
    body: rest.join("\r\n\r\n"),
    connectionBroken,
  };
}

/** Whether `text` contains the first response with its whole body. */
function isComplete(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  if (end < 0) return false;
  const body = text.slice(end + 4);
  return length === undefined ? body.includes("\r\n0\r\n") : body.length >= Number(length);
}
