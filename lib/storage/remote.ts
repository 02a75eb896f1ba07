import type { Readable } from "node:stream";
import { JobError, RequestError } from "#lib/errors.ts";
import { isUnavailable, UnavailableError } from "#lib/unavailable.ts";
import { type ByteRange, FileGoneError, type Storage, type StoredFile } from "./port.ts";

/**
 * A storage on other machines. Whatever it cannot do, but for a file that is not there, is an outage:
 * whether it does not answer, answers 500 or refuses our keys, it is no caller's fault, and passes.
 */
export class DistantStorage implements Storage {
  readonly #inner: Storage;
  readonly direct?: Storage["direct"];

  constructor(inner: Storage) {
    this.#inner = inner;
    const { direct } = inner;
    if (!direct) return;
    this.direct = {
      address: (...args) => attempt(direct.address(...args)),
      size: (key) => attempt(direct.size(key)),
    };
  }

  write(key: string, source: Readable): Promise<StoredFile> {
    return attempt(this.#inner.write(key, source));
  }

  putFile(key: string, path: string): Promise<StoredFile> {
    return attempt(this.#inner.putFile(key, path));
  }

  getFile(key: string, path: string): Promise<void> {
    return attempt(this.#inner.getFile(key, path));
  }

  copy(from: string, to: string): Promise<void> {
    return attempt(this.#inner.copy(from, to));
  }

  read(key: string, range?: ByteRange): Promise<Readable> {
    return attempt(this.#inner.read(key, range));
  }

  removeAll(prefix: string): Promise<void> {
    return attempt(this.#inner.removeAll(prefix));
  }
}

/** What the source of a file throws, such as a request that breaks off, is not the store's. */
const others = [FileGoneError, RequestError, JobError];

async function attempt<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (others.some((type) => error instanceof type) || isUnavailable(error)) throw error;
    throw new UnavailableError("the store is away", { cause: error });
  }
}
