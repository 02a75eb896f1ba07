import type { FileEntryWithStats, SFTPWrapper, Stats } from "ssh2";
import { waitAtMost } from "#lib/deadline.ts";

/**
 * Files over SFTP with many requests at a time: with one after the other, each part of a file waits for a whole
 * round trip.
 */

/** The size of a request: what every server must accept. */
const partBytes = 32 * 1024;
const maxRequests = 64;

/** How long the end of a file may take: nothing depends on it. */
const closeMs = 1000;

/** Bytes of a file, from `start` to `end` (exclusive). */
interface PartsOfFile {
  readonly start: number;
  readonly end: number;
  /** Called with the state of the file that was opened; may throw. */
  readonly onOpen?: (stats: Stats) => void;
}

/** The content of a file, in order. */
export async function* readParts(
  sftp: SFTPWrapper,
  path: string,
  { start, end, onOpen }: PartsOfFile,
): AsyncGenerator<Buffer> {
  const handle = await open(sftp, path, "r");
  try {
    onOpen?.(await statOpen(sftp, handle));
    const pending: Promise<Buffer>[] = [];
    let asked = start;
    while (asked < end || pending.length > 0) {
      while (asked < end && pending.length < maxRequests) {
        const part = readPart(sftp, handle, asked, Math.min(partBytes, end - asked));
        // It is awaited in its turn; until then, no one else listens.
        part.catch(() => {});
        pending.push(part);
        asked += partBytes;
      }
      const part = await pending.shift();
      if (part) yield part;
    }
  } finally {
    await close(sftp, handle);
  }
}

/**
 * Writes a file, or replaces its content. `openContent` is called once the server is ready: nothing would hear of a
 * failure of a stream that waits. `onBytes` gets what the server has confirmed so far.
 */
export async function writeParts(
  sftp: SFTPWrapper,
  path: string,
  openContent: () => Promise<AsyncIterable<Uint8Array>>,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const handle = await open(sftp, path, "w");
  const pending = new Set<Promise<void>>();
  let failure: unknown;
  let at = 0;
  let confirmed = 0;
  const add = (part: Buffer) => {
    const written = writePart(sftp, handle, at, part)
      .then(() => {
        confirmed += part.length;
        onBytes(confirmed);
      })
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => pending.delete(written));
    pending.add(written);
    at += part.length;
  };
  try {
    for await (const chunk of await openContent()) {
      const whole = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      for (let start = 0; start < whole.length; start += partBytes) {
        if (pending.size >= maxRequests) await Promise.race(pending);
        if (failure !== undefined) throw failure;
        add(whole.subarray(start, start + partBytes));
      }
    }
    await Promise.all(pending);
    if (failure !== undefined) throw failure;
  } finally {
    await close(sftp, handle);
  }
}

/** The names in a folder, as the server sends them: some at a time. */
export async function* readNames(
  sftp: SFTPWrapper,
  path: string,
): AsyncGenerator<FileEntryWithStats> {
  const handle = await new Promise<Buffer>((resolve, reject) => {
    requireOpen(sftp);
    sftp.opendir(path, (error, found) => (error ? reject(error) : resolve(found)));
  });
  try {
    for (;;) {
      const some = await new Promise<FileEntryWithStats[] | undefined>((resolve, reject) => {
        requireOpen(sftp);
        sftp.readdir(handle, (error, list) => {
          if (isEndOfList(error)) resolve(undefined);
          else if (error) reject(error);
          else resolve(list);
        });
      });
      if (!some) return;
      yield* some;
    }
  } finally {
    await close(sftp, handle);
  }
}

/** How long a server may take to say how much space it has. */
const spaceMs = 5000;

/** The free space of the file system with this folder, in bytes; `Infinity` if the server does not say. */
export async function freeBytes(sftp: SFTPWrapper, folder: string): Promise<number> {
  let free = Number.POSITIVE_INFINITY;
  const read = new Promise<void>((resolve) => {
    try {
      sftp.ext_openssh_statvfs(
        folder,
        (error, stats: { readonly f_bavail: number; readonly f_frsize: number }) => {
          if (!error) free = Number(stats.f_bavail) * Number(stats.f_frsize);
          resolve();
        },
      );
    } catch {
      // It throws for a server without OpenSSH's extension.
      resolve();
    }
  });
  await waitAtMost(read, spaceMs);
  return free;
}

const statusEnd = 1;

const isEndOfList = (error: unknown) =>
  typeof error === "object" && error !== null && "code" in error && error.code === statusEnd;

/** Throws if the connection has ended: ssh2 does not call back for a request that is made after that. */
function requireOpen(sftp: SFTPWrapper): void {
  // The types leave out that it is a stream, which can be read until its connection ends.
  const { readable } = sftp as unknown as { readonly readable: boolean };
  if (!readable) throw new Error("the connection has ended");
}

function open(sftp: SFTPWrapper, path: string, flags: "r" | "w"): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    requireOpen(sftp);
    sftp.open(path, flags, (error, handle) => (error ? reject(error) : resolve(handle)));
  });
}

function statOpen(sftp: SFTPWrapper, handle: Buffer): Promise<Stats> {
  return new Promise((resolve, reject) => {
    requireOpen(sftp);
    sftp.fstat(handle, (error, stats) => (error ? reject(error) : resolve(stats)));
  });
}

function close(sftp: SFTPWrapper, handle: Buffer): Promise<void> {
  // A connection that has ended has closed the file, and calls nothing back.
  const closed = new Promise<void>((resolve) => {
    try {
      requireOpen(sftp);
      sftp.once("close", resolve);
      sftp.close(handle, () => {
        sftp.off("close", resolve);
        resolve();
      });
    } catch {
      resolve();
    }
  });
  return waitAtMost(closed, closeMs);
}

/** Reads a part whole: a server may send less at once. */
async function readPart(
  sftp: SFTPWrapper,
  handle: Buffer,
  start: number,
  length: number,
): Promise<Buffer> {
  const part = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const at = done;
    const read = await new Promise<number>((resolve, reject) => {
      requireOpen(sftp);
      sftp.read(handle, part, at, length - at, start + at, (error, count) =>
        error ? reject(error) : resolve(count),
      );
    });
    if (read === 0) throw new Error("the file ended before its size");
    done += read;
  }
  return part;
}

function writePart(sftp: SFTPWrapper, handle: Buffer, start: number, part: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    requireOpen(sftp);
    sftp.write(handle, part, 0, part.length, start, (error) => (error ? reject(error) : resolve()));
  });
}
