import { createHash } from "node:crypto";
import { JobError } from "#lib/errors.ts";
import {
  type FetchedFile,
  type FileRequest,
  fetchToFile,
  type GuardedResponse,
  guardedRequest,
} from "#lib/net/fetch.ts";
import type { Network } from "#lib/net/network.ts";
import { type FilePut, type PutResponse, putFile } from "#lib/net/put-file.ts";
import { onlyTrusted } from "#lib/net/redirects.ts";
import {
  abortUpload,
  type MultipartSigner,
  type MultipartTransport,
  putInParts,
} from "./multipart.ts";
import { refusalOf, requireStored, requireSuccess } from "./responses.ts";
import {
  type ListPage,
  type ListRequest,
  type SignedRequest,
  type Store,
  type StoredObject,
  StoreError,
  type StoreFile,
} from "./store.ts";

/** What a store with an HTTP API needs: how its requests are signed, and how its lists are read. */
export interface Signer {
  get(path: string): Promise<SignedRequest>;
  put(path: string, file: Pick<StoreFile, "contentType" | "overwrite">): Promise<SignedRequest>;
  delete(path: string): Promise<SignedRequest>;
  list(request: ListRequest): Promise<SignedRequest>;
  parseList(body: string): ListPage;
  /** The most bytes of a file that one request can store. */
  readonly maxPutBytes: number;
  /** For larger files: a store without it has none. */
  readonly multipart?: MultipartSigner;
}

export type StoreMethod = "GET" | "PUT" | "POST" | "DELETE" | "MKCOL" | "MOVE" | "PROPFIND";

const requestMs = 30_000;
const maxListBytes = 4 * 2 ** 20;
const maxErrorBytes = 16 * 1024;

/** The limit of S3 for a file. */
const maxMultipartBytes = 5 * 1024 ** 4;

/** Statuses with which stores say that a file exists that must not be replaced. */
const existsStatuses = [409, 412];

/**
 * A store whose files are requested over HTTP: S3, Google Cloud Storage, Azure. An upload is one request, unless the
 * file is too large for that.
 */
export class HttpStore implements Store {
  readonly #signer: Signer;
  readonly #network: Network;
  readonly #signal: AbortSignal;
  readonly #transport: MultipartTransport = {
    send: (method, signed) => this.#send(method, signed, maxErrorBytes),
    put: (put) => putToStore(put, this.#network),
  };

  constructor(signer: Signer, network: Network, signal: AbortSignal) {
    this.#signer = signer;
    this.#network = network;
    this.#signal = signal;
  }

  readonly sign = (path: string): Promise<SignedRequest> => this.#signer.get(path);

  async receive(path: string, request: Omit<FileRequest, "url" | "headers">): Promise<FetchedFile> {
    return fetchSigned(await this.sign(path), request, this.#network);
  }

  async findReadRefusal(path: string): Promise<StoreError | undefined> {
    const request = withFirstByte(await this.sign(path));
    return refusalOf(await this.#send("GET", request, maxErrorBytes), "the file");
  }

  async put(file: StoreFile): Promise<StoredObject> {
    const sent = await this.#put(file);
    if (!file.overwrite && existsStatuses.includes(sent.status)) {
      return confirmEarlier(this, file);
    }
    return { etag: sent.etag };
  }

  async #put(file: StoreFile): Promise<Pick<PutResponse, "status" | "etag">> {
    const { maxPutBytes, multipart } = this.#signer;
    if (file.bytes > maxPutBytes) {
      if (!multipart || file.bytes > maxMultipartBytes) throw tooLarge(file.bytes, maxPutBytes);
      return putInParts(file, multipart, this.#transport);
    }
    const signed = await this.#signer.put(file.path, file);
    const { bytes, open, signal, onProgress } = file;
    const sent = await putToStore({ ...signed, bytes, open, signal, onProgress }, this.#network);
    if (file.overwrite || !existsStatuses.includes(sent.status)) requireStored(sent);
    return sent;
  }

  async abortUpload(path: string, uploadId: string): Promise<void> {
    const { multipart } = this.#signer;
    if (multipart) await abortUpload(path, uploadId, multipart, this.#transport);
  }

  async remove(path: string): Promise<void> {
    const signed = await this.#signer.delete(path);
    const response = await this.#send("DELETE", signed, maxErrorBytes);
    if (response.status !== 404) requireSuccess(response, "to delete the file");
  }

  async list(request: ListRequest): Promise<ListPage> {
    const signed = await this.#signer.list(request);
    const response = await this.#send("GET", signed, maxListBytes);
    requireSuccess(response, "the list of files");
    return this.#signer.parseList(response.bodyStart);
  }

  async close(): Promise<void> {}

  #send(method: StoreMethod, signed: SmallRequest, maxBytes: number): Promise<GuardedResponse> {
    const { signal = this.#signal, ...request } = signed;
    return sendToStore(method, request, { maxBytes, network: this.#network, signal });
  }
}

interface SmallRequest extends SignedRequest {
  readonly body?: string;
  /** How long the store may take to respond. */
  readonly timeoutMs?: number;
  /** In place of the signal of the store. */
  readonly signal?: AbortSignal;
}

/** A request for the first byte of a file. */
export function withFirstByte({ url, headers }: SignedRequest): SignedRequest {
  return { url, headers: { ...headers, range: "bytes=0-0" } };
}

/** Sends one small request. Throws `StoreError` if the store cannot be reached. */
export async function sendToStore(
  method: StoreMethod,
  { url, headers, body, timeoutMs = requestMs }: SmallRequest,
  options: {
    readonly maxBytes: number;
    readonly network: Network;
    readonly signal: AbortSignal;
  },
): Promise<GuardedResponse> {
  const request = {
    method,
    url,
    headers,
    ...(body === undefined ? {} : { body }),
    timeoutMs,
    maxResponseBytes: options.maxBytes,
    signal: options.signal,
  };
  return guardedRequest(request, options.network).catch((error: unknown) => {
    throw toStoreError(error);
  });
}

/** Sends a file. Throws `StoreError` if the store cannot be reached. */
export function putToStore(put: FilePut, network: Network): Promise<PutResponse> {
  return putFile(put, network).catch((error: unknown) => {
    throw toStoreError(error);
  });
}

/** The error of a store that cannot be reached; any other error as it is. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof JobError)) return error;
  const isPermanent = error.code === "address_refused";
  const message = isPermanent
    ? "The address of the store is not allowed: its host must be public, and its port one of those that connections may use."
    : `The store cannot be reached: ${error.message}`;
  return new StoreError(message, { isPermanent, cause: error });
}

/** Fetches a file by a signed request. Credentials go only to the store itself. */
export function fetchSigned(
  { url, headers }: SignedRequest,
  request: Omit<FileRequest, "url" | "headers">,
  network: Network,
): Promise<FetchedFile> {
  return fetchToFile({ ...request, url, headers: onlyTrusted(headers) }, network);
}

/** The clocks of stores may be late by this much. */
const clockMs = 5000;

/**
 * A file exists that must not be replaced. An earlier attempt of the same job has stored it, and got no response, if
 * it is not older than the job and has the same size, and the same checksum where the store has one. Throws
 * `export_failed` if it is another one.
 */
export async function confirmEarlier(
  store: Pick<Store, "list">,
  file: StoreFile,
): Promise<StoredObject> {
  if (!file.isRepeated) throw alreadyExists();
  const { files } = await store.list({ prefix: file.path, limit: 10 });
  const found = files.find(({ path }) => path === file.path);
  const at = found?.modifiedAt?.getTime() ?? 0;
  if (found?.bytes !== file.bytes || at < file.since.getTime() - clockMs) throw alreadyExists();
  if (found.md5 !== undefined && found.md5 !== (await md5Of(file))) throw alreadyExists();
  return { etag: found.etag };
}

function alreadyExists(): JobError {
  const message =
    "The store has a file with this path already. Choose another path, or send `overwrite: true`.";
  return new JobError("export_failed", message, { isPermanent: true });
}

async function md5Of({ open }: Pick<StoreFile, "open">): Promise<string> {
  const hash = createHash("md5");
  for await (const chunk of await open()) hash.update(chunk);
  return hash.digest("hex");
}

function tooLarge(bytes: number, maxBytes: number): JobError {
  const gigabytes = (count: number) => (count / 1e9).toFixed(1);
  const message = `The file has ${gigabytes(bytes)} GB, more than the ${gigabytes(maxBytes)} GB that the store takes at once.`;
  return new JobError("export_failed", message, { isPermanent: true });
}
