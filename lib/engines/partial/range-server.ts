import { rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createSocketFolder } from "../sandbox/folder/socket-folder.ts";
import { blocksAhead, type PartialFile } from "./partial-file.ts";

/** An HTTP server on a UNIX socket, from which engines in the sandbox read one file in ranges. */
export interface RangeServer {
  /** The absolute path of the socket. */
  readonly socket: string;
  /** Closes all connections, and removes the socket. */
  close(): Promise<void>;
}

const socketName = "file.sock";

/** Connections at the same time; ffmpeg opens one per input, and replaces it when it seeks. */
const maxConnections = 64;

/**
 * Serves `file` for every path. If it fails, connections are closed in the middle of the response, and
 * the engine must be stopped by the file's signal.
 */
export async function startRangeServer(file: PartialFile): Promise<RangeServer> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    void serve(file, request, response).catch(() => response.destroy());
  });
  server.maxConnections = maxConnections;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  });
  const folder = await createSocketFolder("partial", "file", socketName);
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
    await rm(folder, { recursive: true, force: true });
  };
  const socket = join(folder, socketName);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(socket, resolve);
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { socket, close };
}

async function serve(file: PartialFile, request: IncomingMessage, response: ServerResponse) {
  if (request.method !== "GET") return void response.writeHead(405).end();
  const { size: bytes } = file;
  const range = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(request.headers.range ?? "bytes=0-");
  const start = Number(range?.[1] ?? bytes);
  const end = range?.[2] ? Math.min(Number(range[2]) + 1, bytes) : bytes;
  if (start >= end) {
    return void response.writeHead(416, { "content-range": `bytes */${bytes}` }).end();
  }
  response.writeHead(request.headers.range ? 206 : 200, {
    "accept-ranges": "bytes",
    "content-length": end - start,
    "content-range": `bytes ${start}-${end - 1}/${bytes}`,
  });
  // Without a buffer, blocks are requested only when the engine has read those before.
  const content = Readable.from(readBlocks(file, start, end), { highWaterMark: 1 });
  await pipeline(content, response);
}

async function* readBlocks(file: PartialFile, start: number, end: number) {
  let blocks = 0;
  for (let at = start; at < end; ) {
    const chunk = await file.readBlock(at, end - at, blocksAhead(blocks++));
    yield chunk;
    at += chunk.length;
  }
}
