import type { Readable } from "node:stream";
import { JobError } from "#lib/errors.ts";
import type { FileDigest } from "#lib/files/file-sink.ts";

/** Bytes `start` to `end`, both inclusive, as in HTTP. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export type StoredFile = FileDigest;

/** Receives the bytes of a file in order. */
export type Inspect = (chunk: Buffer) => void;

/**
 * Stores files by key, such as `inputs/job_…/main`. Keys match `[a-zA-Z0-9_./-]+` and are never taken
 * from user input. A file is readable under its key only after it is complete. What takes the `version` of a file, as
 * `direct` has it, throws `FileReplacedError` if the file has another one.
 */
export interface Storage {
  /**
   * Streams `source` to `key` with constant memory; a short file may also be given as bytes. If it fails,
   * nothing is kept. `inspect` receives each chunk before it is stored; if it throws, the write fails
   * with its error.
   */
  write(key: string, source: Readable | Buffer, inspect?: Inspect): Promise<StoredFile>;
  /**
   * Stores bytes that can be made again, faster than `write`: after a power failure the file may be missing or
   * incomplete.
   */
  writeCached(key: string, bytes: Buffer): Promise<void>;
  /** Stores the local file at `path`. The file may be moved, so the caller must not use it afterwards. */
  putFile(key: string, path: string): Promise<void>;
  /**
   * Makes the file readable at the local `path`, which must not exist yet. It may be a link to the
   * stored file, so it must not be written to. Throws `FileGoneError`.
   */
  getFile(key: string, path: string, version?: string): Promise<void>;
  /** Whether `getFile` only links a file, so that it is as quick for a large one. */
  readonly linksFiles: boolean;
  /** Copies the file from one key to another; each can be removed without the other. Throws `FileGoneError`. */
  copy(from: string, to: string, version?: string): Promise<void>;
  /** Streams the file, or a range of it. Throws `FileGoneError`. */
  read(key: string, range?: ByteRange, version?: string): Promise<Readable>;
  /** All bytes of a small file. Throws `FileGoneError`. */
  readBytes(key: string): Promise<Buffer>;
  /** Removes all files whose key begins with `prefix/`. */
  removeAll(prefix: string): Promise<void>;
  /** Throws if the store does not respond, does not exist or rejects the credentials. */
  check(): Promise<void>;
  /** Uploads from clients to the store; if absent, clients upload through the web process. */
  readonly direct?: DirectUploads;
  /** Files that arrive in pieces, by several requests; if absent, each file must arrive at once. */
  readonly partial?: PartialFiles;
  /**
   * A signed URL of the store for downloads of the file; if absent, the store has none. Does not check
   * that the file exists. May throw `FileGoneError`.
   */
  signDownload?(key: string, download: SignedDownload): Promise<string>;
}

/** How long a signed URL of the store is valid, and headers of its response, if the store can set them. */
export interface SignedDownload {
  readonly seconds: number;
  readonly contentType: string;
  readonly contentDisposition: string;
}

/**
 * Uploads that clients send directly to the store, because a host such as Vercel limits the bodies of
 * requests to the web process.
 */
export interface DirectUploads {
  /** A signed URL for one `PUT` of exactly `bytes`; undefined if one request cannot have so many. */
  signUrl(key: string, bytes: number, expiresAt: Date): Promise<string | undefined>;
  /** The uploaded file. Throws `FileGoneError` if there is none. */
  find(key: string): Promise<DirectFile>;
}

/** A file that a client has sent to the store. */
export interface DirectFile {
  readonly bytes: number;
  /** Another content has another version. */
  readonly version: string;
}

/** A file that has not arrived completely. It cannot be read before `finish`. */
export interface PartialFile {
  readonly key: string;
  /** The size of the complete file. */
  readonly bytes: number;
  /** The size of each part except the last one, from `partBytesFor`. */
  readonly partBytes: number;
  /** What `begin` resolved with. */
  readonly storeId: string | null;
}

/** Which bytes of a file are to be written: from `offset`, at most `bytes`. */
export interface PartialWrite {
  readonly offset: number;
  readonly bytes: number;
  /**
   * Called now and then, and at the end, with the offset up to which the file is stored for good. Bytes
   * behind it may be written again. Resolves with whether the offset was recorded. If it rejects, the write
   * ends with its error.
   */
  readonly onStored: (offset: number) => Promise<boolean>;
}

/** Files that arrive in pieces. The caller ensures that no two writers write the same bytes. */
export interface PartialFiles {
  /** Prepares for a file, and resolves with the store's id of it, if there is one. */
  begin(key: string): Promise<string | null>;
  /**
   * Writes what `source` has. If `source` fails, what has arrived is stored, and its error is thrown.
   * Throws `too_large` for more than `bytes`, after these were stored.
   */
  append(file: PartialFile, source: AsyncIterable<Buffer>, write: PartialWrite): Promise<void>;
  /** Makes the complete file readable under its key. May be called again. */
  finish(file: PartialFile): Promise<void>;
  /** Deletes what has arrived. May be called again. */
  discard(file: PartialFile): Promise<void>;
  /** Parts that clients send to the store itself; if absent, they go through this service to `append`. */
  readonly parts?: DirectParts;
}

/** Parts of a file that clients send directly to the store. Numbers begin at 1. */
export interface DirectParts {
  /** A signed URL for a `PUT` of exactly `bytes`. */
  signUrl(file: PartialFile, number: number, bytes: number, expiresAt: Date): Promise<string>;
  /** The sizes of the parts that the store has, by number. */
  list(file: PartialFile): Promise<ReadonlyMap<number, number>>;
}

/** A client has sent another file to the store, in the place of the one that was asked for. The message is public. */
export class FileReplacedError extends JobError {
  constructor(options: { cause?: unknown } = {}) {
    const message =
      "The file of this upload was replaced after it was complete. Create a new upload for it.";
    super("fetch_failed", message, options);
  }
}

/** No file exists under this key. */
export class FileGoneError extends Error {
  override readonly name = "FileGoneError";
}

const keyPattern = /^[a-zA-Z0-9_-]+(?:[./][a-zA-Z0-9_-]+)*$/;

/** Returns `key`. Throws if it is invalid, so that no key refers to a path outside the storage. */
export function checkKey(key: string): string {
  if (!keyPattern.test(key)) throw new Error("invalid storage key");
  return key;
}
