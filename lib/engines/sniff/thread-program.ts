import { once } from "node:events";
import { parentPort } from "node:worker_threads";
import { sniffFile, sniffReader } from "#lib/formats/sniff/sniff.ts";
import type { DetectRequest, ReadReply, ThreadMessage } from "./messages.ts";

/** The program of a thread that detects types of files; started by detect-type.ts. */

if (!parentPort) throw new Error("this program runs in a thread");
const port = parentPort;

const send = (message: ThreadMessage) => port.postMessage(message);

async function read(offset: number, length: number): Promise<Buffer> {
  send({ kind: "read", offset, length });
  // The runner sends nothing else until the type is detected.
  const [{ bytes }] = (await once(port, "message")) as [ReadReply];
  if (!bytes) throw new Error("the file could not be read");
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

while (true) {
  const [request] = (await once(port, "message")) as [DetectRequest];
  try {
    const { id } =
      "path" in request
        ? await sniffFile(request.path, request.hints)
        : await sniffReader({ size: request.size, read }, request.hints);
    send({ kind: "detected", type: id });
  } catch (error) {
    send({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
}
