import { setTimeout as wait } from "node:timers/promises";
import type { SFTPWrapper, Stats } from "ssh2";
import { JobError } from "#lib/errors.ts";
import { closeFile, type OpenFile, openFile, readParts } from "./sftp-read.ts";
import { type StoredRanges, StoreError } from "./store.ts";

/** Parts of files over SFTP. */

/** Attempts without a byte after which reading fails. */
const maxAttempts = 3;
const retryMs = 200;

/** Files that stay open between two ranges. More are open while more ranges are read at the same time. */
const maxIdleFiles = 4;

type FileState = Pick<Stats, "size" | "mtime">;

/** A connection to a server, which several readers may use. */
interface UsedConnection {
  readonly sftp: Promise<SFTPWrapper>;
  /** Closes it, so that all that is pending fails, but not one that has replaced it. */
  close(): Promise<void>;
}

/** The connection to a server, as far as parts of files need it. */
export interface RangeConnection {
  /** The open connection; a new one after it was closed. */
  use(): UsedConnection;
  /** What a failure of a request means. */
  describe(error: unknown): unknown;
}

/** A file of the state that its server has reported. */
export function openSftpRanges(
  connection: RangeConnection,
  path: string,
  state: FileState,
): StoredRanges {
  const version = versionOf(state);
  const onStats = (found: FileState) => {
    if (versionOf(found) === version) return;
    throw new JobError("fetch_failed", "The file in the store has changed while it was read.");
  };
  /** To open a file takes a round trip, and a server that reads ahead begins again. */
  let idle: OpenFile[] = [];
  async function* readRange(sftp: SFTPWrapper, start: number, end: number) {
    // The others were closed with their connection.
    idle = idle.filter((file) => file.sftp === sftp);
    const file = idle.pop() ?? (await openFile(sftp, path));
    let isRead = false;
    try {
      yield* readParts(file, { start, end, onStats });
      isRead = true;
    } finally {
      if (isRead && idle.length < maxIdleFiles) idle.push(file);
      else await closeFile(file);
    }
  }
  async function* read(start: number, end: number, signal: AbortSignal) {
    let used: UsedConnection | undefined;
    const stop = () => void used?.close();
    signal.addEventListener("abort", stop, { once: true });
    let at = start;
    let attempts = 0;
    try {
      while (at < end) {
        const before = at;
        try {
          used = connection.use();
          const sftp = await used.sftp;
          for await (const chunk of readRange(sftp, at, end)) {
            at += chunk.length;
            yield chunk;
          }
        } catch (error) {
          signal.throwIfAborted();
          const found = connection.describe(error);
          attempts = at > before ? 1 : attempts + 1;
          if (!isTemporary(found) || attempts >= maxAttempts) throw toFetchFailure(found);
          await used?.close();
          await wait(retryMs * attempts, undefined, { signal });
        }
      }
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
  return { bytes: state.size, version, read };
}

const versionOf = ({ size, mtime }: FileState) => `${size}-${mtime}`;

const isTemporary = (error: unknown) => error instanceof StoreError && !error.isPermanent;

function toFetchFailure(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error;
  return new JobError("fetch_failed", error.message, { cause: error });
}
