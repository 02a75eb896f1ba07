import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { SFTPWrapper } from "ssh2";
import Client from "ssh2-sftp-client";
import { withTimeout } from "#lib/deadline.ts";
import { JobError } from "#lib/errors.ts";
import { replaceWithNew } from "#lib/files/regular-files.ts";
import { type FetchedFile, type FileRequest, tooLargeError } from "#lib/net/fetch.ts";
import { toFetchError } from "#lib/net/fetch-errors.ts";
import { withDeadline } from "#lib/net/network.ts";
import { connectPinned } from "#lib/net/pinned-request.ts";
import { confirmEarlier, toStoreError } from "./http-store.ts";
import {
  codeOf,
  describeConnection,
  describeFailure,
  isSshError,
  isUnsupported,
  noSpaceLeft,
  statusFailure,
  statusNoFile,
} from "./sftp-errors.ts";
import { freeBytes, readNames, readParts, writeParts } from "./sftp-files.ts";
import { openSftpRanges } from "./sftp-ranges.ts";
import {
  type ListPage,
  type ListRequest,
  type Store,
  type StoreContext,
  type StoredObject,
  type StoredRanges,
  StoreError,
  type StoreFile,
} from "./store.ts";
import { type FolderEntry, foldersOf, listTree, temporaryPath } from "./tree-list.ts";

export interface SftpAccess {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password?: string | undefined;
  /** In OpenSSH's format or as PEM. */
  readonly privateKey?: string | undefined;
  readonly passphrase?: string | undefined;
  /** The fingerprint of the host's key, `SHA256:…`; undefined until it is known. */
  readonly hostKey?: string | undefined;
  /** Called with the fingerprint of a host whose key is not known yet. */
  readonly onHostKey: (fingerprint: string) => Promise<void>;
}

const connectMs = 20_000;

/** A folder of an SFTP server. A file is received under another name, then renamed. Its host key is pinned. */
export class SftpStore implements Store {
  readonly #access: SftpAccess;
  readonly #context: StoreContext;
  #connection: Promise<Client> | undefined;
  #socket: Awaited<ReturnType<typeof connectPinned>> | undefined;

  constructor(access: SftpAccess, context: StoreContext) {
    this.#access = access;
    this.#context = context;
  }

  async receive(path: string, request: Omit<FileRequest, "url" | "headers">): Promise<FetchedFile> {
    const { totalMs } = this.#context.network.limits;
    return withDeadline(request.signal, totalMs, async (signal) => {
      const stopWith = this.#stopWith(signal);
      try {
        return await this.#receive(path, { ...request, signal });
      } catch (error) {
        signal.throwIfAborted();
        throw isSshError(error) ? describeFailure(error, "the file") : error;
      } finally {
        stopWith();
      }
    });
  }

  async #receive(
    path: string,
    { path: target, maxBytes, onSize, signal }: Omit<FileRequest, "url" | "headers">,
  ): Promise<FetchedFile> {
    const client = await this.#client();
    const { size } = await client.stat(path);
    if (!Number.isSafeInteger(size)) throw unknownSize();
    if (size > maxBytes) throw tooLargeError(maxBytes);
    if (size === 0) throw new JobError("empty", "The file in the store is empty.");
    await onSize?.(size);
    const hash = createHash("sha256");
    const file = await replaceWithNew(target);
    try {
      for await (const chunk of readParts(wrapperOf(client), path, { start: 0, end: size })) {
        hash.update(chunk);
        await file.writeFile(chunk);
      }
    } finally {
      await file.close();
    }
    signal.throwIfAborted();
    // It is not used: what is stored of the source is its reference.
    const url = "sftp://store/";
    return {
      bytes: size,
      sha256: hash.digest("hex"),
      requestedUrl: url,
      finalUrl: url,
      contentType: undefined,
      charset: undefined,
      filename: basename(path),
    };
  }

  readonly openRanges = async (path: string): Promise<StoredRanges> => {
    const explain = (error: unknown) =>
      isSshError(error) ? describeFailure(error, "the file") : error;
    try {
      const { size, modifyTime } = await (await this.#client()).stat(path);
      if (!Number.isSafeInteger(size)) throw unknownSize();
      const connection = {
        client: async () => wrapperOf(await this.#client()),
        close: () => this.close(),
        describe: explain,
      };
      return openSftpRanges(connection, path, { size, mtime: Math.trunc(modifyTime / 1000) });
    } catch (error) {
      throw explain(error);
    }
  };

  async put(file: StoreFile): Promise<StoredObject> {
    const stopWith = this.#stopWith(file.signal);
    const temporary = temporaryPath(file.path, file.attemptName);
    try {
      const client = await this.#client();
      if (!file.overwrite && (await client.exists(file.path))) {
        return await confirmEarlier({ list: (request) => this.list(request) }, file);
      }
      for (const folder of foldersOf(file.path)) {
        if (!(await client.exists(folder))) await client.mkdir(folder);
      }
      await writeParts(wrapperOf(client), temporary, () => file.open(), file.onProgress);
      const { size } = await client.stat(temporary);
      if (size !== file.bytes) {
        const message = "The store has other bytes than those that were sent.";
        throw new JobError("export_failed", message);
      }
      if (file.overwrite) await this.#replace(client, temporary, file.path);
      else await client.rename(temporary, file.path);
      return { etag: null };
    } catch (error) {
      file.signal.throwIfAborted();
      const found = isSshError(error) ? await this.#describeWrite(error, file) : error;
      await this.remove(temporary).catch(() => {});
      throw found;
    } finally {
      stopWith();
    }
  }

  /** Servers have one status for most failures, also for a full disk: they are asked for their space. */
  async #describeWrite(error: Error, { path, bytes }: StoreFile): Promise<StoreError> {
    const isUnclear = codeOf(error) === statusFailure && !this.#socket?.destroyed;
    if (isUnclear) {
      const folder = foldersOf(path).at(-1) ?? ".";
      const free = await freeBytes(wrapperOf(await this.#client()), folder);
      if (free < bytes) return noSpaceLeft(error);
    }
    return describeFailure(error, "the file");
  }

  /** Renames over another file. A server without OpenSSH's extension gets the old one out of the way first. */
  async #replace(client: Client, from: string, to: string): Promise<void> {
    if (!(await client.exists(to))) {
      await client.rename(from, to);
      return;
    }
    try {
      await client.posixRename(from, to);
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      const old = `${from}.old`;
      await client.rename(to, old);
      try {
        await client.rename(from, to);
      } catch (failure) {
        await client.rename(old, to).catch(() => {});
        throw failure;
      }
      await client.delete(old);
    }
  }

  async remove(path: string): Promise<void> {
    const client = await this.#client();
    await client.delete(path, true).catch((error) => {
      throw describeFailure(error, "to delete the file");
    });
  }

  async list(request: ListRequest): Promise<ListPage> {
    const client = await this.#client();
    return listTree(request, async (folder) => {
      try {
        return await readFolder(wrapperOf(client), folder);
      } catch (error) {
        if (codeOf(error) === statusNoFile) return [];
        throw isSshError(error) ? describeFailure(error, "the list of files") : error;
      }
    });
  }

  /** Destroys the connection, and so rejects all that is pending: a server may never end its own side. */
  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#socket?.destroy();
    await connection?.catch(() => {});
  }

  /** Destroys the connection when the signal is aborted. Returns the function that stops listening. */
  #stopWith(signal: AbortSignal): () => void {
    const stop = () => void this.close();
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    return () => signal.removeEventListener("abort", stop);
  }

  #client(): Promise<Client> {
    // A connection that has ended, such as after a time without requests, is replaced.
    if (this.#socket?.destroyed) this.#connection = undefined;
    this.#connection ??= this.#connect();
    return this.#connection;
  }

  async #connect(): Promise<Client> {
    const { host, port, username, password, privateKey, passphrase } = this.#access;
    const { signal, network } = this.#context;
    const socket = await connectTo(host, port, this.#context).catch((error: unknown) => {
      throw toStoreError(toFetchError(error));
    });
    this.#socket = socket;
    const stop = () => socket.destroy();
    socket.setTimeout(network.limits.chunkMs, stop);
    signal.addEventListener("abort", stop, { once: true });
    socket.once("close", () => signal.removeEventListener("abort", stop));
    if (signal.aborted) stop();
    // Errors of a broken connection also reject the call that is running. By default they are printed.
    const client = new Client("sftp", { error: ignore, end: ignore, close: ignore });
    let refusal: StoreError | undefined;
    let seen: string | undefined;
    try {
      await withTimeout(
        client.connect({
          sock: socket,
          username,
          ...(password === undefined ? {} : { password }),
          ...(privateKey === undefined ? {} : { privateKey }),
          ...(passphrase === undefined ? {} : { passphrase }),
          hostVerifier: (key: Buffer) => {
            const { fault, fingerprint } = this.#checkHostKey(key);
            refusal = fault;
            seen = fingerprint;
            return fault === undefined;
          },
          readyTimeout: connectMs,
        }),
        connectMs,
        () => new Error("timed out"),
      );
    } catch (error) {
      socket.destroy();
      if (refusal) throw refusal;
      throw describeConnection(error);
    }
    if (seen !== undefined && this.#access.hostKey === undefined) {
      await this.#access.onHostKey(seen);
    }
    return client;
  }

  #checkHostKey(key: Buffer) {
    const fingerprint = `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
    const { hostKey } = this.#access;
    if (hostKey === undefined || hostKey === fingerprint) return { fingerprint };
    const message = `The host has another key than before (${fingerprint}). If that is right, set \`host_key\` to it.`;
    return { fingerprint, fault: new StoreError(message, { isPermanent: true }) };
  }
}

/** Opens a connection to a host that passed the guard, which knows only HTTP: the scheme decides nothing. */
async function connectTo(host: string, port: number, { network, signal }: StoreContext) {
  const name = host.includes(":") ? `[${host}]` : host;
  const url = new URL(`http://${name}:${port}`);
  const target = await network.guard.check(url, network.purpose);
  const socket = await connectPinned({ target, network }, signal);
  // The end of one direction is the end of a connection of SSH.
  socket.allowHalfOpen = false;
  return socket;
}

/** ssh2's own client of the protocol, which the types of the library leave out. */
function wrapperOf(client: Client): SFTPWrapper {
  return (client as unknown as { readonly sftp: SFTPWrapper }).sftp;
}

/** More names than this are not read: a server could send them for ever. */
const maxEntries = 20_000;

async function readFolder(sftp: SFTPWrapper, folder: string): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = [];
  let count = 0;
  for await (const { filename, attrs } of readNames(sftp, folder === "" ? "." : folder)) {
    if (++count > maxEntries) {
      const message = `The store has a folder with more than ${maxEntries} files.`;
      throw new StoreError(message, { isPermanent: true });
    }
    if (filename === "." || filename === ".." || filename === "" || filename.includes("/"))
      continue;
    const path = folder === "" ? filename : `${folder}/${filename}`;
    if (attrs.isDirectory()) entries.push({ kind: "folder", path });
    if (!attrs.isFile()) continue;
    const modifiedAt = Number.isSafeInteger(attrs.mtime) ? new Date(attrs.mtime * 1000) : null;
    const bytes = Number.isSafeInteger(attrs.size) ? attrs.size : 0;
    entries.push({ kind: "file", path, bytes, modifiedAt, etag: null });
  }
  return entries;
}

function unknownSize(): StoreError {
  const message = "The store does not say how large the file is.";
  return new StoreError(message, { isPermanent: true });
}

const ignore = () => {};
