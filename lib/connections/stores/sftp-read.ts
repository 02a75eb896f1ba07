import type { SFTPWrapper, Stats } from "ssh2";
import { closeHandle, maxRequests, openHandle, partBytes, requireOpen } from "./sftp-files.ts";

/** The content of files over SFTP. */

/** What is handed on at once: each chunk costs the time of a write to the disk. */
const chunkParts = 8;
const chunkBytes = chunkParts * partBytes;

/** A file that is open on a server. */
export interface OpenFile {
  readonly sftp: SFTPWrapper;
  readonly handle: Buffer;
}

/** Opens a file to read it. */
export async function openFile(sftp: SFTPWrapper, path: string): Promise<OpenFile> {
  return { sftp, handle: await openHandle(sftp, path, "r") };
}

export function closeFile({ sftp, handle }: OpenFile): Promise<void> {
  return closeHandle(sftp, handle);
}

/** Bytes of a file, from `start` to `end` (exclusive). */
interface PartsOfFile {
  readonly start: number;
  readonly end: number;
  /**
   * Called with the state of the file before its first bytes; may throw. The state is requested together with them, so
   * that it costs no round trip.
   */
  readonly onStats?: (stats: Stats) => void;
}

/** The content of an open file, in order. */
export async function* readParts(
  { sftp, handle }: OpenFile,
  { start, end, onStats }: PartsOfFile,
): AsyncGenerator<Buffer> {
  let checked = onStats && statOpen(sftp, handle).then(onStats);
  // Each is awaited in its turn; until then, no one else listens.
  checked?.catch(() => {});
  const pending: Promise<Buffer>[] = [];
  let asked = start;
  while (asked < end || pending.length > 0) {
    while (asked < end && pending.length * chunkParts < maxRequests) {
      const chunk = readChunk(sftp, handle, asked, Math.min(chunkBytes, end - asked));
      chunk.catch(() => {});
      pending.push(chunk);
      asked += chunkBytes;
    }
    await checked;
    checked = undefined;
    const chunk = await pending.shift();
    if (chunk) yield chunk;
  }
}

/** The content of a file of this size, in order. */
export async function* readWhole(
  sftp: SFTPWrapper,
  path: string,
  bytes: number,
): AsyncGenerator<Buffer> {
  const file = await openFile(sftp, path);
  try {
    yield* readParts(file, { start: 0, end: bytes });
  } finally {
    await closeFile(file);
  }
}

function statOpen(sftp: SFTPWrapper, handle: Buffer): Promise<Stats> {
  return new Promise((resolve, reject) => {
    requireOpen(sftp);
    sftp.fstat(handle, (error, stats) => (error ? reject(error) : resolve(stats)));
  });
}

async function readChunk(
  sftp: SFTPWrapper,
  handle: Buffer,
  start: number,
  length: number,
): Promise<Buffer> {
  const chunk = Buffer.allocUnsafe(length);
  const parts: Promise<void>[] = [];
  for (let at = 0; at < length; at += partBytes) {
    parts.push(readPart(sftp, handle, start + at, chunk.subarray(at, at + partBytes)));
  }
  await Promise.all(parts);
  return chunk;
}

/** Fills `part` with the bytes from `start` on: a server may send less at once. */
async function readPart(
  sftp: SFTPWrapper,
  handle: Buffer,
  start: number,
  part: Buffer,
): Promise<void> {
  let done = 0;
  while (done < part.length) {
    const at = done;
    const read = await new Promise<number>((resolve, reject) => {
      requireOpen(sftp);
      sftp.read(handle, part, at, part.length - at, start + at, (error, count) =>
        error ? reject(error) : resolve(count),
      );
    });
    if (read === 0) throw new Error("the file ended before its size");
    done += read;
  }
}
