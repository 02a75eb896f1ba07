import {
  closeSync,
  constants,
  createReadStream,
  createWriteStream,
  fstatSync,
  openSync,
  type ReadStream,
  readSync,
  type Stats,
  type WriteStream,
  writeFileSync,
} from "node:fs";
import { copyFile, type FileHandle, lstat, open, rm, writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";

/**
 * Files in folders into which engines write. An engine that a file has taken over may leave anything
 * there: these functions follow no link, never wait for a pipe, and create only names that do not
 * exist. The engines' folders are checked in addition, after each engine.
 */

const { O_RDONLY, O_RDWR, O_WRONLY, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
const { COPYFILE_EXCL, COPYFILE_FICLONE } = constants;

/** The flags with O_NONBLOCK, because opening a pipe without it waits for its other end. It does not matter for files. */
const safely = O_NOFOLLOW | O_NONBLOCK;
const openFlags = { r: O_RDONLY | safely, "r+": O_RDWR | safely };
const appendFlags = O_WRONLY | O_APPEND | safely;

/** Returns `stats`. Throws if they are not those of a regular file. */
function requireRegular(stats: Stats): Stats {
  if (!stats.isFile()) throw new Error("not a regular file");
  return stats;
}

/** Opens an existing file to read it, or with `r+` to change it. Throws if it is not a regular file. */
export async function openRegular(path: string, mode: "r" | "r+" = "r"): Promise<FileHandle> {
  const file = await open(/* turbopackIgnore: true */ path, openFlags[mode]);
  try {
    requireRegular(await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** What lstat(2) says of a file. Throws if it is not a regular file. */
export async function statRegular(path: string): Promise<Stats> {
  return requireRegular(await lstat(/* turbopackIgnore: true */ path));
}

/** All bytes of a file, or its text. Throws if it is not a regular file. */
export function readRegular(path: string): Promise<NonSharedBuffer>;
export function readRegular(path: string, encoding: BufferEncoding): Promise<string>;
export async function readRegular(path: string, encoding?: BufferEncoding) {
  const file = await openRegular(path);
  try {
    return await file.readFile(encoding ?? null);
  } finally {
    await file.close();
  }
}

/** Legitimate ones have a few megabytes: lists, reports, recognized text, small pictures. */
const maxReportBytes = 64 * 2 ** 20;

/**
 * All bytes, or the text, of a file that an engine wrote for this service. Throws if it is not a regular
 * file, or larger than 64 MiB: an engine that a file has taken over could fill the memory with it.
 */
export function readReport(path: string): Promise<NonSharedBuffer>;
export function readReport(path: string, encoding: BufferEncoding): Promise<string>;
export async function readReport(path: string, encoding?: BufferEncoding) {
  const { size } = await statRegular(path);
  if (size > maxReportBytes) throw new Error("an engine wrote too much");
  return encoding ? readRegular(path, encoding) : readRegular(path);
}

/** The same bytes, for a small file: a turn through the thread pool takes longer than to read it. */
export function readReportSync(path: string): NonSharedBuffer {
  const fd = openSyncRegular(path, openFlags.r);
  try {
    const { size } = fstatSync(fd);
    if (size > maxReportBytes) throw new Error("an engine wrote too much");
    const bytes = Buffer.allocUnsafe(size);
    let read = 0;
    while (read < size) {
      const count = readSync(fd, bytes, read, size - read, read);
      if (count === 0) break;
      read += count;
    }
    return bytes.subarray(0, read);
  } finally {
    closeSync(fd);
  }
}

type ReadOptions = Exclude<Parameters<typeof createReadStream>[1], string | undefined>;

/** The default of Node.js. */
const chunkBytes = 2 ** 16;

/** Reads a file as a stream. Throws at once if it is not a regular file. */
export function streamRegular(path: string, options: ReadOptions = {}): ReadStream {
  const fd = openSyncRegular(path, openFlags.r);
  // Each read allocates the whole size, the one at the end of the file, too. For many small files, the garbage
  // collector would have most of the work.
  const largest = fstatSync(fd).size + 1;
  const highWaterMark = Math.min(options.highWaterMark ?? chunkBytes, largest);
  return createReadStream(path, { ...options, fd, highWaterMark });
}

/** The file descriptor. A stream that opens the file itself could not check it first. */
function openSyncRegular(path: string, flags: number): number {
  const fd = openSync(/* turbopackIgnore: true */ path, flags);
  try {
    requireRegular(fstatSync(fd));
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Creates a file and opens it to write. Throws if there is anything at `path`, a link included. */
export function createNew(path: string): Promise<FileHandle> {
  return open(/* turbopackIgnore: true */ path, "wx");
}

/** Creates a file with `data`. Throws if there is anything at `path`. */
export async function writeNew(
  path: string,
  data: Parameters<typeof writeFile>[1],
  mode = 0o666,
): Promise<void> {
  await writeFile(/* turbopackIgnore: true */ path, data, { flag: "wx", mode });
}

/** The same for a small file: a turn through the thread pool takes longer than to write it. */
export function writeNewSync(path: string, data: Uint8Array): void {
  writeFileSync(/* turbopackIgnore: true */ path, data, { flag: "wx" });
}

/** Creates a file that gets what is written to the stream, which fails if there is anything at `path`. */
export function streamToNew(path: string): WriteStream {
  return createWriteStream(/* turbopackIgnore: true */ path, { flags: "wx" });
}

/** Creates a file and opens it to write, instead of anything that is at `path`. */
export async function replaceWithNew(path: string): Promise<FileHandle> {
  await rm(/* turbopackIgnore: true */ path, { force: true });
  return createNew(path);
}

/** Replaces the content of a file. Throws if it is not a regular file. */
export async function overwriteRegular(path: string, data: Buffer): Promise<void> {
  const file = await openRegular(path, "r+");
  try {
    await file.truncate();
    await file.writeFile(data);
  } finally {
    await file.close();
  }
}

/** Adds what is written to the end of a file. Fails at once if it is not a regular file. */
export function streamToEnd(path: string): WriteStream {
  return createWriteStream(path, { fd: openSyncRegular(path, appendFlags) });
}

/** Adds `data` to the end of a file. Throws if it is not a regular file. */
export async function appendToRegular(
  path: string,
  data: string | Buffer,
  encoding: BufferEncoding = "utf8",
): Promise<void> {
  const file = await open(/* turbopackIgnore: true */ path, appendFlags);
  try {
    requireRegular(await file.stat());
    await file.appendFile(data, encoding);
  } finally {
    await file.close();
  }
}

/**
 * Copies a regular file to a new one; without copying bytes where the file system can share them.
 * Throws if `source` is not a regular file, or if there is anything at `target`.
 */
export async function copyToNew(source: string, target: string): Promise<void> {
  const file = await openRegular(source);
  try {
    // The open file, because the path may lead elsewhere when it is opened again.
    const opened = process.platform === "linux" ? `/proc/self/fd/${file.fd}` : source;
    await copyFile(opened, /* turbopackIgnore: true */ target, COPYFILE_EXCL | COPYFILE_FICLONE);
  } catch (error) {
    // The sandbox may forbid to change the mode, as `copyFile` does in the end.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) throw error;
    await pipeline(file.createReadStream({ start: 0, autoClose: false }), streamToNew(target));
  } finally {
    await file.close();
  }
}
