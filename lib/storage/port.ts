import type { Readable } from "node:stream";

/** Bytes `start` to `end`, both included, as in HTTP. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** What was written: its length, and its SHA-256 in hex. */
export interface StoredFile {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Where files are kept, by key (`inputs/job_…/main`). Keys are made by us and match
 * `[a-zA-Z0-9_./-]+`; a file appears under its key whole, or not at all.
 */
export interface Storage {
  /** Streams `source` to `key`, with flat memory. What was written so far is gone if it fails. */
  write(key: string, source: Readable): Promise<StoredFile>;
  /** Stores the local file at `path`, which may be moved: the caller must not use it afterwards. */
  putFile(key: string, path: string): Promise<StoredFile>;
  /** Makes the file readable at the local `path` that does not exist yet; it must not be written to. */
  getFile(key: string, path: string): Promise<void>;
  /** Stores what is under `from` under `to` as well; either may go without the other. Throws `FileGoneError`. */
  copy(from: string, to: string): Promise<void>;
  /** Streams the file, or a range of it. Throws `FileGoneError`. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Removes everything whose key begins with `prefix/`. */
  removeAll(prefix: string): Promise<void>;
  /** Where the store takes files from outside itself; without it they are sent through the web process. */
  readonly direct?: DirectUploads;
}

/**
 * Files that a client sends to the store itself, past the web process and whatever limits the
 * bodies that its host lets through. The way out is always through the web process: only there
 * do an output's headers, ranges and retention hold, whatever the store.
 */
export interface DirectUploads {
  /** A signed address that takes exactly `bytes` by one `PUT`; undefined where that is too much for one. */
  address(key: string, bytes: number, expiresAt: Date): Promise<string | undefined>;
  /** How large what has arrived is, in bytes. Throws `FileGoneError` where nothing has. */
  size(key: string): Promise<number>;
}

/** There is no file under this key. */
export class FileGoneError extends Error {
  override readonly name = "FileGoneError";
}

const keyPattern = /^[a-zA-Z0-9_-]+(?:[./][a-zA-Z0-9_-]+)*$/;

/** The key, which must not lead out of the storage; throws where it could. */
export function checkKey(key: string): string {
  if (!keyPattern.test(key)) throw new Error("unusable storage key");
  return key;
}
