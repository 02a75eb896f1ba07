import { buffer } from "node:stream/consumers";
import { UsageError } from "../errors.ts";

/** Reads everything that stdin has. */
export async function readStdin(): Promise<Buffer<ArrayBuffer>> {
  if (process.stdin.isTTY) throw new UsageError("There is no file at stdin. Pipe one in.");
  const content = await buffer(process.stdin);
  if (content.length === 0) throw new UsageError("stdin is empty.");
  return Buffer.from(content);
}
