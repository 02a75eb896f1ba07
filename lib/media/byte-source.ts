import type { FileHandle } from "node:fs/promises";
import { openRegular } from "#lib/files/regular-files.ts";

/** The bytes at the beginning of a file that are read to detect its type. */
export const headBytes = 64 * 1024;

/** Random access to the bytes of a file. */
export interface ByteReader {
  /** Reads at most `length` bytes from `offset` on; fewer where the file ends or cannot be read further. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** A file of `size` bytes. */
export interface SizedReader extends ByteReader {
  readonly size: number;
}

/** A file whose type is detected: its head is in memory, the rest may be readable. */
export interface ByteSource extends ByteReader {
  /** The first 64 KiB, or all of a shorter file. */
  readonly head: Buffer;
  /** The size of the whole file in bytes; undefined if only its head is known. */
  readonly size: number | undefined;
  /** The absolute path, if the file is on disk. */
  readonly path: string | undefined;
}

/** The head of a file as a source. Fewer than 64 KiB are taken for the whole file. */
export function sourceOfBytes(bytes: Uint8Array): ByteSource {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headBytes));
  return {
    head,
    size: bytes.length < headBytes ? bytes.length : undefined,
    path: undefined,
    read: async (offset, length) => head.subarray(offset, offset + length),
  };
}

/** Opens the file at `path` for `use`, and closes it afterwards. */
export async function withFileSource<T>(
  path: string,
  use: (source: ByteSource) => Promise<T>,
): Promise<T> {
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    // No larger buffer than needed: each one is zeroed, and many large ones keep the collector busy.
    const available = (offset: number, length: number) =>
      Math.max(0, Math.min(length, size - offset));
    const head = await readAt(file, 0, available(0, headBytes));
    const read = async (offset: number, length: number) =>
      offset + length <= head.length
        ? head.subarray(offset, offset + length)
        : readAt(file, offset, available(offset, length));
    return await use({ head, size, path, read });
  } finally {
    await file.close();
  }
}

/** The file that `reader` reads as a source. */
export async function sourceOfReader(reader: SizedReader): Promise<ByteSource> {
  const head = await reader.read(0, headBytes);
  const read = async (offset: number, length: number) =>
    offset + length <= head.length
      ? head.subarray(offset, offset + length)
      : reader.read(offset, length);
  return { head, size: reader.size, path: undefined, read };
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
