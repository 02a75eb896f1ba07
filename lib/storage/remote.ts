import type { Readable } from "node:stream";
import { JobError, RequestError } from "#lib/errors.ts";
import { isUnavailable, UnavailableError } from "#lib/unavailable.ts";
import {
  type ByteRange,
  FileGoneError,
  type Inspect,
  type PartialFiles,
  type Storage,
  type StoredFile,
} from "./port.ts";

/**
 * A storage on other machines. All its failures except a missing file become `UnavailableError`: a
 * timeout, a status 500 and rejected credentials are not the caller's fault, and are temporary.
 */
export class RemoteStorage implements Storage {
  readonly linksFiles = false;
  readonly #inner: Storage;
  readonly direct?: Storage["direct"];
  readonly partial?: Storage["partial"];
  readonly signDownload?: Storage["signDownload"];

  constructor(inner: Storage) {
    this.#inner = inner;
    const { direct, partial } = inner;
    if (partial) this.partial = remotePartial(partial);
    const signDownload = inner.signDownload?.bind(inner);
    if (signDownload) this.signDownload = (...args) => asUnavailable(signDownload(...args));
    if (!direct) return;
    this.direct = {
      signUrl: (...args) => asUnavailable(direct.signUrl(...args)),
      find: (key) => asUnavailable(direct.find(key)),
    };
  }

  write(key: string, source: Readable | Buffer, inspect?: Inspect): Promise<StoredFile> {
    return asUnavailable(this.#inner.write(key, source, inspect));
  }

  writeCached(key: string, bytes: Buffer): Promise<void> {
    return asUnavailable(this.#inner.writeCached(key, bytes));
  }

  putFile(key: string, path: string): Promise<void> {
    return asUnavailable(this.#inner.putFile(key, path));
  }

  getFile(key: string, path: string, version?: string): Promise<void> {
    return asUnavailable(this.#inner.getFile(key, path, version));
  }

  copy(from: string, to: string, version?: string): Promise<void> {
    return asUnavailable(this.#inner.copy(from, to, version));
  }

  read(key: string, range?: ByteRange, version?: string): Promise<Readable> {
    return asUnavailable(this.#inner.read(key, range, version));
  }

  readBytes(key: string): Promise<Buffer> {
    return asUnavailable(this.#inner.readBytes(key));
  }

  removeAll(prefix: string): Promise<void> {
    return asUnavailable(this.#inner.removeAll(prefix));
  }

  check(): Promise<void> {
    return asUnavailable(this.#inner.check());
  }
}

function remotePartial(partial: PartialFiles): PartialFiles {
  const { parts } = partial;
  return {
    begin: (key) => asUnavailable(partial.begin(key)),
    append: (...args) => asUnavailable(partial.append(...args)),
    finish: (file) => asUnavailable(partial.finish(file)),
    discard: (file) => asUnavailable(partial.discard(file)),
    ...(parts && {
      parts: {
        signUrl: (...args) => asUnavailable(parts.signUrl(...args)),
        list: (file) => asUnavailable(parts.list(file)),
      },
    }),
  };
}

/** Errors from the source of a file, such as an aborted request, are no failures of the store. */
const callerErrors = [FileGoneError, RequestError, JobError];

async function asUnavailable<Result>(operation: Promise<Result>): Promise<Result> {
  try {
    return await operation;
  } catch (error) {
    if (callerErrors.some((type) => error instanceof type) || isUnavailable(error)) throw error;
    throw new UnavailableError("storage unavailable", { cause: error });
  }
}
