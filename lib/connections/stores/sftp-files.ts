import type { FileEntryWithStats, SFTPWrapper } from "ssh2";
import { waitAtMost } from "#lib/deadline.ts";

/**
 * Files over SFTP with many requests at a time: with one after the other, each part of a file waits for a whole
 * round trip.
 */

/**
 * The size of a request. Every server must accept 32 KiB, but ssh2 divides what is larger than 31,952 bytes, for each
 * server except OpenSSH, and sends the rest after the response: behind later parts of the file, for which servers that
 * read and write in sequence wait or fail.
 */
export const partBytes = 28 * 1024;
export const maxRequests = 64;

/** How long the end of a file may take: nothing depends on it. */
const closeMs = 1000;

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
  const handle = await openHandle(sftp, path, "w");
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
    await closeHandle(sftp, handle);
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
    await closeHandle(sftp, handle);
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
export function requireOpen(sftp: SFTPWrapper): void {
  // The types leave out that it is a stream, which can be read until its connection ends.
  const { readable } = sftp as unknown as { readonly readable: boolean };
  if (!readable) throw new Error("the connection has ended");
}

export function openHandle(sftp: SFTPWrapper, path: string, flags: "r" | "w"): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    requireOpen(sftp);
    sftp.open(path, flags, (error, handle) => (error ? reject(error) : resolve(handle)));
  });
}

export function closeHandle(sftp: SFTPWrapper, handle: Buffer): Promise<void> {
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

function writePart(sftp: SFTPWrapper, handle: Buffer, start: number, part: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    requireOpen(sftp);
    sftp.write(handle, part, 0, part.length, start, (error) => (error ? reject(error) : resolve()));
  });
}
