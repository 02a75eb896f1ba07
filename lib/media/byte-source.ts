import { type FileHandle, open } from "node:fs/promises";

/** How much of a file is read at once to tell its type. */
export const headBytes = 64 * 1024;

/** A file whose type is to be told: its beginning at hand, the rest perhaps within reach. */
export interface ByteSource {
  /** The first 64 KiB, or all of a shorter file. */
  readonly head: Buffer;
  /** Bytes of the whole file; undefined where only its beginning is at hand. */
  readonly size: number | undefined;
  /** Absolute, where the file is on disk. */
  readonly path: string | undefined;
  /** Bytes from `offset` on, fewer where they end or are out of reach. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** The beginning of a file that may go on; one shorter than 64 KiB is taken for the whole. */
export function sourceOfBytes(bytes: Uint8Array): ByteSource {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headBytes));
  return {
    head,
    size: bytes.length < headBytes ? bytes.length : undefined,
    path: undefined,
    read: async (offset, length) => head.subarray(offset, offset + length),
  };
}

/** Opens the file at `path` for `use`, and closes it. */
export async function withFileSource<T>(
  path: string,
  use: (source: ByteSource) => Promise<T>,
): Promise<T> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const head = await readAt(file, 0, headBytes);
    const read = async (offset: number, length: number) =>
      offset + length <= head.length
        ? head.subarray(offset, offset + length)
        : readAt(file, offset, length);
    return await use({ head, size, path, read });
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
