import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { log } from "#lib/log.ts";
import type { FetchedFile, FileRequest } from "#lib/net/fetch.ts";
import type { Network } from "#lib/net/network.ts";

/** What a connection leads to. All paths are those in the store, with the connection's prefix. */
export interface Store {
  /**
   * How the file is requested over HTTP; undefined for a store with another protocol. The request is valid for six
   * hours, that of a role for half an hour. Throws `StoreError`.
   */
  readonly sign?: (path: string) => Promise<SignedRequest>;
  /**
   * Opens a file of a store with another protocol than HTTP, to read parts of it. The store must stay open until then.
   * Throws `StoreError`.
   */
  readonly openRanges?: (path: string) => Promise<StoredRanges>;
  /** Fetches a file as `fetchToFile` does; its URL is not used. Throws `JobError` and `StoreError`. */
  receive(path: string, request: Omit<FileRequest, "url" | "headers">): Promise<FetchedFile>;
  /**
   * How a store with HTTP, whose `receive` knows only a status, refuses to send a file; undefined if it can be read.
   * Throws `StoreError` if it cannot be reached.
   */
  findReadRefusal?(path: string): Promise<StoreError | undefined>;
  /**
   * Stores a file under its path in one step: no one sees it before it is complete. Folders are created. Resolves
   * once the store has confirmed it. Throws `JobError` `export_failed`, and `StoreError`.
   */
  put(file: StoreFile): Promise<StoredObject>;
  /**
   * Ends an upload in several parts that another process has begun, so that the store removes its parts. Never fails:
   * a store may not permit it. For stores that have such uploads.
   */
  abortUpload?(path: string, uploadId: string): Promise<void>;
  /** Removes a file; none is no error. Throws `StoreError`. */
  remove(path: string): Promise<void>;
  /** Lists files whose path begins with `prefix`, in the order of the store. Throws `StoreError`. */
  list(request: ListRequest): Promise<ListPage>;
  /** Ends the connections. */
  close(): Promise<void>;
}

/** A file in a store of which parts are read. */
export interface StoredRanges {
  readonly bytes: number;
  /** Another version of the file has another text. */
  readonly version: string;
  /**
   * The bytes from `start` to `end` (exclusive, at most the size), in order. A connection that breaks is replaced.
   * Throws `JobError` `fetch_failed` if the file has changed or cannot be read, and the reason of an aborted signal.
   */
  read(start: number, end: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** A request that its URL or its headers authorize. */
export interface SignedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A file to store. */
export interface StoreFile {
  readonly path: string;
  readonly bytes: number;
  readonly contentType: string;
  /** Whether a file with this path is replaced; otherwise it is an error. */
  readonly overwrite: boolean;
  /** Whether an earlier attempt may have stored the file. */
  readonly isRepeated: boolean;
  /** When the job was created: an older file is not what an earlier attempt has stored. */
  readonly since: Date;
  /** A name that is the same in each attempt, for stores that receive a file under another name first. */
  readonly attemptName: string;
  /** Where an upload in several parts is recorded. */
  readonly upload?: UploadRecord;
  /** Opens the content, or a part of it; `end` is exclusive. */
  readonly open: (part?: { readonly start: number; readonly end: number }) => Promise<Readable>;
  readonly signal: AbortSignal;
  /** Called with the bytes that were sent so far. */
  readonly onProgress: (bytes: number) => void;
}

/** The upload in several parts of a file that is not complete yet. It outlives the process that sends the file. */
export interface UploadRecord {
  /** The id of an upload that an earlier attempt has begun and did not end. */
  read(): Promise<string | undefined>;
  write(uploadId: string): Promise<void>;
  clear(): Promise<void>;
}

/** A file as the store has confirmed it. */
export interface StoredObject {
  /** What the store calls this version; null if it did not say. */
  readonly etag: string | null;
}

export interface ListRequest {
  readonly prefix: string;
  /** Where a page before ended. */
  readonly cursor?: string | undefined;
  /** The most files, from 1 to 1000. */
  readonly limit: number;
  /**
   * Whether folders are listed in place of the files in them; `prefix` is empty or ends with a slash then. A page has
   * at most `limit` files and folders together.
   */
  readonly isFlat?: boolean | undefined;
}

export interface ListPage {
  readonly files: readonly ListedFile[];
  /** The paths of folders, with a slash at their ends; only for a request that is flat. */
  readonly folders?: readonly string[];
  readonly nextCursor: string | null;
}

export interface ListedFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: Date | null;
  readonly etag: string | null;
  /** The MD5 in hex, if the store knows it. */
  readonly md5?: string;
}

/** What a store is opened with. */
export interface StoreContext {
  /** The right to reach the store's address. */
  readonly network: Network;
  readonly signal: AbortSignal;
}

/**
 * Why a store refused a request, if it says so: there is no such file, or no such bucket, container or folder of the
 * connection; the bucket is in another region; the connection has no permission; its credentials are wrong; the store
 * is full.
 */
export type StoreFault = "missing" | "no_bucket" | "region" | "denied" | "credentials" | "full";

/** A store that refused a request or cannot be reached. The message is public. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  /** Whether the same request will fail again. */
  readonly isPermanent: boolean;
  readonly fault: StoreFault | undefined;

  constructor(
    message: string,
    options: { isPermanent: boolean; fault?: StoreFault; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.isPermanent = options.isPermanent;
    this.fault = options.fault;
  }
}

/** How long a signed request is valid, in seconds: longer than a job may read its input. */
export const signedSeconds = 6 * 3600;

/** How long the removal of what was sent in vain may take, in milliseconds: a job that was stopped waits for it. */
const removeMs = 3000;

/** A server may store what has arrived only this much later, once it notices that the rest does not come. */
const lateMs = 1000;

/**
 * Removes what was sent in vain, by `remove`; twice if the server has not responded: it may still hold the file locked,
 * and may store it late. Never fails: a store may not permit it.
 */
export async function removeSent(
  remove: (signal: AbortSignal) => Promise<void>,
  { hasResponded }: { readonly hasResponded: boolean },
): Promise<void> {
  const signal = AbortSignal.timeout(removeMs);
  try {
    if (!hasResponded) {
      await remove(signal).catch((error: unknown) => {
        if (signal.aborted) throw error;
      });
      await wait(lateMs, undefined, { signal });
    }
    await remove(signal);
  } catch (error) {
    log.warn({ err: error }, "a file that was sent in part was not removed");
  }
}
