import type { FileHandle } from "node:fs/promises";
import { openRegular } from "#lib/files/regular-files.ts";

/** Reads and changes chunks of a WebP file (WebP container specification) that libvips ignores. */

interface Chunk {
  readonly name: string;
  /** Where its header is in the file. */
  readonly offset: number;
  /** The size of its data, without header and padding. */
  readonly size: number;
}

/** The search for the first image stops here. Real files have only a few chunks before it. */
const maxChunks = 64;

/**
 * Whether the first image is lossless, that is a `VP8L` chunk; in an animation, that of the first
 * frame.
 */
export async function isLosslessWebp(path: string): Promise<boolean> {
  return withFile(path, "r", async (file) => {
    let count = 0;
    for await (const { name } of readChunks(file, { enterFrames: true })) {
      if (name === "VP8 " || ++count > maxChunks) return false;
      if (name === "VP8L") return true;
    }
    return false;
  });
}

/** JPEG has this prefix before the TIFF header of EXIF data; WebP has none. */
const jpegPrefix = Buffer.from("Exif\0\0", "latin1");

/** Removes the JPEG prefix, which libvips also writes to WebP files. Strict parsers reject it. */
export async function removeExifPrefix(path: string): Promise<void> {
  await withFile(path, "r+", async (file) => {
    for await (const { name, offset, size } of readChunks(file)) {
      if (name === "EXIF") return cutExifPrefix(file, offset, size);
    }
  });
}

async function cutExifPrefix(file: FileHandle, offset: number, size: number): Promise<void> {
  const length = (await file.stat()).size;
  const tail = await readAt(file, offset, length - offset);
  if (!tail.subarray(8, 8 + jpegPrefix.length).equals(jpegPrefix)) return;
  tail.writeUInt32LE(size - jpegPrefix.length, 4);
  const shorter = Buffer.concat([tail.subarray(0, 8), tail.subarray(8 + jpegPrefix.length)]);
  await file.write(shorter, 0, shorter.length, offset);
  await file.truncate(offset + shorter.length);
  const riffSize = Buffer.alloc(4);
  riffSize.writeUInt32LE(offset + shorter.length - 8);
  await file.write(riffSize, 0, 4, 4);
}

/** The chunks in file order. With `enterFrames`, also the chunks in the frames of an animation. */
async function* readChunks(file: FileHandle, { enterFrames = false } = {}): AsyncGenerator<Chunk> {
  for (let offset = 12; ; ) {
    const header = await readAt(file, offset, 8);
    if (header.length < 8) return;
    const name = header.toString("latin1", 0, 4);
    const size = header.readUInt32LE(4);
    yield { name, offset, size };
    offset += enterFrames && name === "ANMF" ? 8 + 16 : 8 + size + (size % 2);
  }
}

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
}

async function withFile<Result>(
  path: string,
  flags: "r" | "r+",
  use: (file: FileHandle) => Promise<Result>,
): Promise<Result> {
  const file = await openRegular(path, flags);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}
